import { readFile } from 'node:fs/promises'
import { type ColumnUse, guessColumnUses, type ImportColumn } from '#domain/imports/import-columns.ts'
import { type ExistingSubject, type MatchPolicy, planImportRows, type RowPlan } from '#domain/imports/import-plan.ts'
import { readSubjectRow } from '#domain/imports/import-subject.ts'
import { findImportTable, type ImportTable } from '#domain/imports/import-table.ts'
import { maxSheetColumns } from '#domain/imports/spreadsheet.ts'
import { type ParsedList, readList } from './read-list.ts'
import { UnreadableFile } from './unreadable-file.ts'

/** A file that was sent, its bytes or where it is on this machine; which sheet of it is meant, null for the first with anything in it; and which row holds the headings. */
export type ListRequest = {
  readonly file: Uint8Array | string
  readonly sheet: string | null
  readonly headerRow?: number | undefined
}

/** What is found in a file: how its list lies in it, and what its columns are likely for. */
export type DetectedList = {
  readonly sheets: readonly string[]
  readonly sheet: string | null
  readonly headerRow: number
  readonly columns: readonly ImportColumn[]
  /** Columns that hold something and are not read, being further right than the last one that is. */
  readonly columnsLeftOut: number
  /** Rows below the headings. */
  readonly rows: number
  readonly uses: readonly ColumnUse[]
}

/** Why a file is not read: staff read the message, and may try again where the server was busy. */
export type ReadFailure = { readonly refused: string } | { readonly busy: string }

export type CodesRequest = ListRequest & { readonly uses: readonly ColumnUse[] }

export type PlanRequest = CodesRequest & {
  /** The people of the event, in JSON: several lists of `KnownPerson`. */
  readonly known: readonly string[]
  readonly groups: readonly string[]
  readonly takenCodes: readonly string[]
  readonly matches: MatchPolicy
  /** How many rows a part of the answer has. */
  readonly rowsPerPart: number
}

/** What an import would do with the rows of a list: each part is a JSON list of rows, as they are written to the database. */
export type PlannedList = { readonly rows: number; readonly parts: readonly string[] }

const nobodyThere = 'There is nobody below the headings of this list'

const readTable = async ({
  file,
  sheet,
  headerRow,
}: ListRequest): Promise<(ParsedList & { table: ImportTable }) | ReadFailure> => {
  try {
    const bytes = typeof file === 'string' ? await readFile(file) : file
    const list = await readList(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), sheet)
    const table = findImportTable(list.rows, headerRow)
    return table.rows.length === 0 ? { refused: nobodyThere } : { ...list, table }
  } catch (error) {
    if (error instanceof UnreadableFile) return { refused: error.message }
    throw error
  }
}

/** Finds the list in a file, or says what to do about the file. */
export const findList = async (request: ListRequest): Promise<DetectedList | ReadFailure> => {
  const read = await readTable(request)
  if (!('table' in read)) return read
  const { sheets, sheet, table, columns } = read
  return {
    sheets,
    sheet,
    headerRow: table.headerRow,
    columns: table.columns,
    columnsLeftOut: Math.max(0, columns - maxSheetColumns),
    rows: table.rows.length,
    uses: guessColumnUses(table.columns),
  }
}

/** The access codes in a list, each once. */
export const readCodes = async (request: CodesRequest): Promise<{ codes: readonly string[] } | ReadFailure> => {
  const read = await readTable(request)
  if (!('table' in read)) return read
  const codes = read.table.rows.flatMap(({ cells }) => readSubjectRow(cells, request.uses).person.code ?? [])
  return { codes: [...new Set(codes)] }
}

/** A plan as its row is written. Who is new will be as they are in the list: the same is not said twice. */
const rowOf = ({ subjectId, after, ...plan }: RowPlan) => ({
  ...plan,
  subject_id: subjectId,
  after: plan.state === 'create' ? undefined : after,
})

/** Plans a list row by row. */
export const planList = async (request: PlanRequest): Promise<PlannedList | ReadFailure> => {
  const read = await readTable(request)
  if (!('table' in read)) return read
  const { uses, groups, matches, rowsPerPart } = request
  const known = request.known.flatMap((part) => JSON.parse(part) as ExistingSubject[]) // written by preview-import.ts
  const plans = planImportRows(read.table.rows, uses, {
    known,
    groups,
    takenCodes: new Set(request.takenCodes),
    matches,
  })
  const parts: string[] = []
  let rows: object[] = []
  const endPart = (): void => {
    parts.push(JSON.stringify(rows))
    rows = []
  }
  for (const plan of plans) {
    rows.push(rowOf(plan))
    if (rows.length === rowsPerPart) endPart()
  }
  if (rows.length > 0) endPart()
  return { rows: read.table.rows.length, parts }
}
