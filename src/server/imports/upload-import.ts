import { createReadStream } from 'node:fs'
import { sql } from 'kysely'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { User } from '../access/tokens/access-token.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { Deps } from '../deps.ts'
import type { UploadedFile } from '../http/forms/multipart-form.ts'
import { Problem, problem } from '../http/problem.ts'
import { takeRoom } from '../images/store/storage-quota.ts'
import type { DetectedList, ReadFailure } from './parsing/find-list.ts'
import { type ImportKey, readImport } from './read-imports.ts'

type LayoutInput = { readonly sheet?: string | null; readonly headerRow?: number | undefined }

/** Seconds after which a file that found the server busy may be sent once more. */
const retryAfterSeconds = 30

/** What a call answers where a file was not read. */
export const readFailureProblem = (unread: ReadFailure): Problem<'refused' | 'slow-down'> =>
  'busy' in unread ? problem('slow-down', unread.busy, { retryAfterSeconds }) : problem('refused', unread.refused)

/** What is stored of how a list lies in its file, and the guess of what its columns are for. */
const layoutOf = ({ sheets, sheet, headerRow, columns, columnsLeftOut, uses }: DetectedList) => ({
  sheet,
  layout: JSON.stringify({ sheets, headerRow, columns, columnsLeftOut }),
  mapping: JSON.stringify(uses),
})

const mostNameLetters = 200

/** Keeps a file that was sent and what was found in it. Gives the import's key. */
export const storeImport = async (
  deps: Deps,
  { job, user, file }: { job: JobKey; user: User; file: UploadedFile },
): Promise<ImportKey | Problem<'refused' | 'slow-down'>> => {
  const found = await deps.fileParsers.findList({ file: file.path, sheet: null }, job.studioId)
  if (!('columns' in found)) return readFailureProblem(found)
  const fileKey = `studios/${job.studioId}/imports/${deps.newId()}`
  await deps.files.put(fileKey, createReadStream(file.path))
  const kept = await inTransaction(deps.db, async (tx) => {
    const refused = await takeRoom(tx, deps, { studioId: job.studioId, bytes: file.byteSize })
    if (refused) return refused
    const { id } = await tx
      .insertInto('imports')
      .values({
        studio_id: job.studioId,
        job_id: job.jobId,
        file_name: file.fileName.slice(0, mostNameLetters) || 'A list',
        file_key: fileKey,
        byte_size: file.byteSize,
        made_by: user.id,
        rows_total: found.rows,
        ...layoutOf(found),
        created_at: deps.clock(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { ...job, importId: id }
  })
  if (kept instanceof Problem) await deps.files.remove(fileKey)
  return kept
}

const gone = 'The file of this import is not here any more. Please send it again'

/** The bytes an import was sent with. */
export const readImportFile = async ({ files }: Deps, key: string | null): Promise<Buffer | Problem<'refused'>> => {
  const read = key === null ? undefined : await files.read(key)
  if (read?.outcome !== 'opened') return problem('refused', gone)
  return Buffer.concat(await read.body.toArray())
}

/** Looks at another sheet or row of the file of an import that did not run. */
export const changeImportLayout = async (
  deps: Deps,
  { key, version, sheet, headerRow }: { key: ImportKey; version: number } & LayoutInput,
): Promise<undefined | Problem<'not-found' | 'conflict' | 'refused' | 'slow-down'>> => {
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
  if (kept.state !== 'mapping' && kept.state !== 'previewed') return problem('refused', alreadyRanMessage)
  const bytes = await readImportFile(deps, kept.file_key)
  if (!Buffer.isBuffer(bytes)) return bytes
  const found = await deps.fileParsers.findList({ file: bytes, sheet: sheet ?? kept.sheet, headerRow }, studioId)
  if (!('columns' in found)) return readFailureProblem(found)
  const { numUpdatedRows } = await deps.db
    .updateTable('imports')
    .set({
      ...layoutOf(found),
      state: 'mapping',
      rows_total: found.rows,
      version: version + 1,
      updated_at: sql`now()`,
    })
    .where('studio_id', '=', studioId)
    .where('id', '=', importId)
    .where('version', '=', version)
    .executeTakeFirst()
  return numUpdatedRows > 0n ? undefined : problem('conflict')
}

export const alreadyRanMessage = 'This import ran already'

/** An import as it is after a change, or why it was not changed. */
export const changedImport = async <Refused extends Problem>(
  { db }: Deps,
  key: ImportKey,
  refused: Refused | undefined,
) => refused ?? (await readImport(db, key)) ?? problem('not-found')
