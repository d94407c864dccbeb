import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { parseNumber, validate } from '#domain/shared/validators.ts'
import type { User } from '../access/tokens/access-token.ts'
import { recordAudit } from '../audit/audit-log.ts'
import { inTransaction, type Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { type TableColumn, type TableRow, tableFiles, toRowTexts } from '../file-responses/table-files.ts'
import type { RecordResponse } from '../http/idempotency.ts'
import { CreatedFile, problem } from '../http/problem.ts'
import { readCsv } from '../imports/parsing/read-csv.ts'
import { UnreadableFile } from '../imports/parsing/unreadable-file.ts'
import type { PlatformResource } from './platform-resource.ts'

/** How the records of a kind are written to a CSV and read from it. The columns that are unique together identify a record. */
export type ResourceFile<Draft> = {
  /** The title, and the name of the file. */
  readonly title: string
  /** The columns; each key is a field of the draft, whose errors name the heading. */
  readonly columns: readonly TableColumn[]
  /** The cells of a row by key; empty where the file lacks the column. */
  readonly toDraft: (cells: Readonly<Record<string, string>>) => Draft
  /** The records that are written, as SQL; its columns are the keys. */
  readonly rows: ReturnType<typeof sql>
}

/** Hundredths of a decimal number of a cell; not whole for more than two decimals, NaN for other text. */
export const hundredthsOfCell = (text: string): number => Math.round(parseNumber(text) * 1e8) / 1e6

/** The day `2027-04-05` of `4/5/2027`, as spreadsheets write it; any other text as it is. */
export const dayOfCell = (text: string): string => {
  const [, month = '', day = '', year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? []
  return year === undefined ? text : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** Errors beyond these are not listed. */
const maxErrors = 10

const cellsByKey = (columns: readonly TableColumn[], headings: readonly string[], cells: readonly string[]) =>
  Object.fromEntries(
    columns.map(({ key, heading }) => {
      const index = headings.findIndex((text) => text.trim().toLowerCase() === heading.toLowerCase())
      return [key, cells[index] ?? '']
    }),
  )

type ReadDrafts<Draft> = { readonly drafts: readonly Draft[]; readonly errors: readonly string[] }

/** Reads the drafts of a CSV; each error names its line and column. */
const readDrafts = <Draft>(
  { rules, unique, valuesOf }: PlatformResource<Draft>,
  file: ResourceFile<Draft>,
  csv: string,
): ReadDrafts<Draft> => {
  const [heading, ...rows] = readCsv(csv).rows
  const missing = file.columns.find(
    ({ heading: name }) => !heading?.cells.some((cell) => cell.trim().toLowerCase() === name.toLowerCase()),
  )
  if (missing) return { drafts: [], errors: [`The first line has no column “${missing.heading}”`] }
  const lineByKey = new Map<string, number>()
  const read = rows.map(({ number, cells }) => {
    const draft = file.toDraft(cellsByKey(file.columns, heading?.cells ?? [], cells))
    const errors = Object.entries(validate(draft, rules)).map(([field, messages]) => {
      const column = file.columns.find(({ key }) => key === field)
      return `Line ${number}, ${column?.heading ?? field}: ${messages.join(', ')}`
    })
    const values = valuesOf(draft)
    const key = JSON.stringify((unique?.columns ?? []).map((name) => String(values[name]).toLowerCase()))
    const earlier = lineByKey.get(key)
    lineByKey.set(key, number)
    return {
      draft,
      errors: earlier === undefined ? errors : [...errors, `Lines ${earlier} and ${number} are the same record`],
    }
  })
  return { drafts: read.map(({ draft }) => draft), errors: read.flatMap(({ errors }) => errors) }
}

const readDraftsSafely = <Draft>(
  resource: PlatformResource<Draft>,
  file: ResourceFile<Draft>,
  csv: string,
): ReadDrafts<Draft> => {
  try {
    return readDrafts(resource, file, csv)
  } catch (error) {
    if (error instanceof UnreadableFile) return { drafts: [], errors: [error.message] }
    throw error
  }
}

/** Updates the records that differ and inserts the missing ones, in two statements. Archived records stay archived. */
const upsert = async <Draft>(
  tx: Transaction,
  { clock }: Pick<Deps, 'clock'>,
  { table, unique, valuesOf }: PlatformResource<Draft>,
  drafts: readonly Draft[],
): Promise<{ created: number; changed: number }> => {
  const rows = drafts.map(valuesOf)
  const columns = Object.keys(rows[0] ?? {})
  const list = (prefix: string) => sql.join(columns.map((column) => sql.ref(`${prefix}.${column}`)))
  const isSame = sql.join(
    (unique?.columns ?? []).map(
      (column) => sql`lower(${sql.ref(`r.${column}`)}::text) = lower(${sql.ref(`x.${column}`)}::text)`,
    ),
    sql` and `,
  )
  const source = sql`jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb) x`
  await sql`lock table ${sql.table(table)} in share row exclusive mode`.execute(tx)
  const assignments = columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`x.${column}`)}`)
  const updated = await sql`
    update ${sql.table(table)} r set ${sql.join(assignments)}, version = r.version + 1, updated_at = ${clock()}
      from ${source} where ${isSame} and (${list('r')}) is distinct from (${list('x')}) returning r.id`.execute(tx)
  const inserted = await sql`
    insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    select ${list('x')} from ${source} where not exists (select from ${sql.table(table)} r where ${isSame})
    returning id`.execute(tx)
  return { created: inserted.rows.length, changed: updated.rows.length }
}

type Import = { readonly body: { csv: string }; readonly user: User; readonly recordResponse: RecordResponse }

/** The handlers that write the records of a kind to a CSV, and create and change records by one: all of its lines, or none. */
export const resourceFileHandlers = <Draft>(
  deps: Deps,
  resource: PlatformResource<Draft>,
  file: ResourceFile<Draft>,
) => ({
  exportFile: async () => {
    const { rows } = await sql<TableRow>`${file.rows}`.execute(deps.db)
    const { contentType, write } = tableFiles.csv
    const { title, columns } = file
    const batches = toRowTexts(Readable.from([rows]), columns)
    return new CreatedFile({ name: `${title}.csv`, contentType, body: write({ title, columns, batches }) })
  },
  importFile: ({ body: { csv }, user, recordResponse }: Import) =>
    inTransaction(deps.db, async (tx) => {
      const { drafts, errors } = readDraftsSafely(resource, file, csv)
      if (errors.length > 0) {
        const left = errors.length - maxErrors
        return problem('refused', [...errors.slice(0, maxErrors), ...(left > 0 ? [`And ${left} more`] : [])])
      }
      const counts = drafts.length > 0 ? await upsert(tx, deps, resource, drafts) : { created: 0, changed: 0 }
      const answer = { ...counts, unchanged: drafts.length - counts.created - counts.changed }
      const entry = { action: `${resource.noun}.imported`, entityId: 'csv', userId: user.id } as const
      await recordAudit(tx, deps, { studioId: null, ...entry, detail: answer })
      await recordResponse(tx, answer)
      return answer
    }),
})
