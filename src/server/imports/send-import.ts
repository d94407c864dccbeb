import { sql } from 'kysely'
import { guessUses } from '../../domain/import-columns.ts'
import { findTable, type Table } from '../../domain/import-table.ts'
import type { Deps } from '../deps.ts'
import type { User } from '../http/access-token.ts'
import type { JobKey } from '../http/admit.ts'
import { type Problem, problem } from '../http/problem.ts'
import { type ImportKey, readImport } from './read-imports.ts'
import { type ReadList, readList } from './read-list.ts'
import { RefusedFile } from './refused-file.ts'

/** A list found in a file. */
export type FoundList = ReadList & { readonly table: Table }

type Wanted = { readonly sheet?: string | null; readonly headerRow?: number | undefined }

const nobodyThere = 'There is nobody below the headings of this list'

/** Reads a list out of a file, or says what to do about the file. */
export const findList = async (
  bytes: Buffer,
  { sheet = null, headerRow }: Wanted = {},
): Promise<FoundList | Problem<'refused'>> => {
  try {
    const list = await readList(bytes, sheet)
    const table = findTable(list.rows, headerRow)
    return table.rows.length === 0 ? problem('refused', nobodyThere) : { ...list, table }
  } catch (error) {
    if (error instanceof RefusedFile) return problem('refused', error.message)
    throw error
  }
}

/** What is kept of how a list lies in its file, and the guess of what its columns are for. */
export const layoutOf = ({ sheets, sheet, table: { headerRow, columns } }: FoundList) => ({
  sheet,
  layout: JSON.stringify({ sheets, headerRow, columns }),
  mapping: JSON.stringify(guessUses(columns)),
})

const mostNameLetters = 200

/** Keeps a file that was sent and what was found in it. Gives the import's key. */
export const keepImport = async (
  deps: Deps,
  { job, user, file }: { job: JobKey; user: User; file: { readonly fileName: string; readonly bytes: Buffer } },
): Promise<ImportKey | Problem<'refused'>> => {
  const found = await findList(file.bytes)
  if (!('table' in found)) return found
  const fileKey = `studios/${job.studioId}/imports/${deps.newId()}`
  await deps.files.put(fileKey, file.bytes)
  const { id } = await deps.db
    .insertInto('imports')
    .values({
      studio_id: job.studioId,
      job_id: job.jobId,
      file_name: file.fileName.slice(0, mostNameLetters) || 'A list',
      file_key: fileKey,
      made_by: user.id,
      rows_total: found.table.rows.length,
      ...layoutOf(found),
      created_at: deps.clock(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { ...job, importId: id }
}

const gone = 'The file of this import is not here any more. Please send it again'

/** The bytes an import was sent with. */
export const readFile = async ({ files }: Deps, key: string | null): Promise<Buffer | Problem<'refused'>> => {
  const read = key === null ? undefined : await files.read(key)
  if (read?.outcome !== 'opened') return problem('refused', gone)
  return Buffer.concat(await read.body.toArray())
}

/** Looks at another sheet or row of the file of an import that did not run. */
export const changeLayout = async (
  deps: Deps,
  { key, version, sheet, headerRow }: { key: ImportKey; version: number } & Wanted,
): Promise<undefined | Problem<'not-found' | 'conflict' | 'refused'>> => {
  const { studioId, jobId, importId } = key
  const kept = await deps.db
    .selectFrom('imports')
    .select(['file_key', 'sheet', 'version', 'state'])
    .where('studio_id', '=', studioId)
    .where('job_id', '=', jobId)
    .where('id', '=', importId)
    .executeTakeFirst()
  if (!kept) return problem('not-found')
  if (kept.version !== version) return problem('conflict')
  if (kept.state !== 'mapping' && kept.state !== 'previewed') return problem('refused', ranAlready)
  const bytes = await readFile(deps, kept.file_key)
  if (!Buffer.isBuffer(bytes)) return bytes
  const found = await findList(bytes, { sheet: sheet ?? kept.sheet, headerRow })
  if (!('table' in found)) return found
  const { numUpdatedRows } = await deps.db
    .updateTable('imports')
    .set({
      ...layoutOf(found),
      state: 'mapping',
      rows_total: found.table.rows.length,
      version: version + 1,
      updated_at: sql`now()`,
    })
    .where('studio_id', '=', studioId)
    .where('id', '=', importId)
    .where('version', '=', version)
    .executeTakeFirst()
  return numUpdatedRows > 0n ? undefined : problem('conflict')
}

export const ranAlready = 'This import ran already'

/** An import as it is after a change, or why it was not changed. */
export const changed = async <Refused extends Problem>({ db }: Deps, key: ImportKey, refused: Refused | undefined) =>
  refused ?? (await readImport(db, key)) ?? problem('not-found')
