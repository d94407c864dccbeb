import { readFile } from 'node:fs/promises'
import {
  type ColumnUse,
  type DefinedHeading,
  guessColumnUses,
  type ImportColumn,
} from '#domain/imports/import-columns.ts'
import { type ExistingSubject, type MatchPolicy, planImportRows, type RowPlan } from '#domain/imports/import-plan.ts'
import { readSubjectRow } from '#domain/imports/import-subject.ts'
import { findImportTable, type ImportTable } from '#domain/imports/import-table.ts'
import { maxSheetColumns } from '#domain/imports/spreadsheet.ts'
import { type ParsedList, readList } from './read-list.ts'
import { UnreadableFile } from './unreadable-file.ts'

/**
 * An uploaded file (its bytes or its path), the sheet to read (null for the first that is not empty), and the header
 * row.
 */
export type ListRequest = {
  readonly file: Uint8Array | string
  readonly sheet: string | null
  readonly headerRow?: number | undefined
  /** The fields that administrators defined, by which columns are recognized. */
  readonly defined?: readonly DefinedHeading[]
}

/** The list that was detected in a file: its layout, and a guess of the use of each column. */
export type DetectedList = {
  readonly sheets: readonly string[]
  readonly sheet: string | null
  readonly headerRow: number
  readonly columns: readonly ImportColumn[]
  /** Non-empty columns beyond the limit, which are not read. */
  readonly columnsLeftOut: number
  /** Rows below the header. */
  readonly rows: number
  readonly uses: readonly ColumnUse[]
}

/** Why a file was not read: a message for staff, or that the server was busy and a retry may succeed. */
export type ReadFailure = { readonly error: string } | { readonly busy: string }

/** A list, with the use of each of its columns. */
export type CodesRequest = ListRequest & { readonly uses: readonly ColumnUse[] }

export type PlanRequest = CodesRequest & {
  /** The subjects of the job as JSON: several lists of `ExistingSubject`. */
  readonly known: readonly string[]
  readonly groups: readonly string[]
  readonly takenCodes: readonly string[]
  readonly matchPolicy: MatchPolicy
  /** How many rows each part of the result has. */
  readonly rowsPerPart: number
}

/**
 * What an import would do with each row of a list; each part is a JSON list of rows as they are written to the
 * database.
 */
export type PlannedList = { readonly rows: number; readonly parts: readonly string[] }

const emptyListMessage = 'There are no people below the headings of this list'

const readTable = async ({
  file,
  sheet,
  headerRow,
}: ListRequest): Promise<(ParsedList & { table: ImportTable }) | ReadFailure> => {
  try {
    const bytes = typeof file === 'string' ? await readFile(file) : file
    const list = await readList(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), sheet)
    const table = findImportTable(list.rows, headerRow)
    return table.rows.length === 0 ? { error: emptyListMessage } : { ...list, table }
  } catch (error) {
    if (error instanceof UnreadableFile) return { error: error.message }
    throw error
  }
}

/** Detects the list in a file, or returns why it cannot be read. */
export const findList = async (request: ListRequest): Promise<DetectedList | ReadFailure> => {
  const list = await readTable(request)
  if (!('table' in list)) return list
  const { sheets, sheet, table, columns } = list
  return {
    sheets,
    sheet,
    headerRow: table.headerRow,
    columns: table.columns,
    columnsLeftOut: Math.max(0, columns - maxSheetColumns),
    rows: table.rows.length,
    uses: guessColumnUses(table.columns, request.defined),
  }
}

/** The distinct access codes in a list. */
export const readCodes = async (request: CodesRequest): Promise<{ codes: readonly string[] } | ReadFailure> => {
  const list = await readTable(request)
  if (!('table' in list)) return list
  const codes = list.table.rows.flatMap(({ cells }) => readSubjectRow(cells, request.uses).details.code ?? [])
  return { codes: [...new Set(codes)] }
}

/** Converts a plan to its database row. `after` of a new subject equals `details`, so it is left out. */
const rowOf = ({ subjectId, after, ...plan }: RowPlan) => ({
  ...plan,
  subject_id: subjectId,
  after: plan.state === 'create' ? undefined : after,
})

/** Plans what an import would do with each row of a list. */
export const planList = async (request: PlanRequest): Promise<PlannedList | ReadFailure> => {
  const list = await readTable(request)
  if (!('table' in list)) return list
  const { uses, groups, matchPolicy, rowsPerPart } = request
  const existingSubjects = request.known.flatMap((part) => JSON.parse(part) as ExistingSubject[]) // written by preview-import.ts
  const plans = planImportRows(list.table.rows, uses, {
    known: existingSubjects,
    groups,
    takenCodes: new Set(request.takenCodes),
    matchPolicy,
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
  return { rows: list.table.rows.length, parts }
}
