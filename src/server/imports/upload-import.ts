import { createReadStream } from 'node:fs'
import { sql } from 'kysely'
import type { DefinedHeading } from '#domain/imports/import-columns.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { User } from '../access/tokens/access-token.ts'
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import type { UploadedFile } from '../http/forms/multipart-form.ts'
import { Problem, problem } from '../http/problem.ts'
import { reserveStorage } from '../images/store/storage-quota.ts'
import type { DetectedList, ReadFailure } from './parsing/find-list.ts'
import { type ImportKey, readImport } from './read-imports.ts'

type LayoutInput = { readonly sheet?: string | null; readonly headerRow?: number | undefined }

/** The seconds after which a client may retry a file that the server was too busy to read. */
const retryAfterSeconds = 30

/** The response for a file that could not be read. */
export const readFailureProblem = (failure: ReadFailure): Problem<'refused' | 'slow-down'> =>
  'busy' in failure ? problem('slow-down', failure.busy, { retryAfterSeconds }) : problem('refused', failure.error)

/** The stored columns: the layout of the list in its file, and the guessed use of each column. */
const layoutOf = ({ sheets, sheet, headerRow, columns, columnsLeftOut, uses }: DetectedList) => ({
  sheet,
  layout: JSON.stringify({ sheets, headerRow, columns, columnsLeftOut }),
  mapping: JSON.stringify(uses),
})

const maxNameLength = 200

/** The fields that administrators defined, by which columns are recognized. */
const readDefinedHeadings = async ({ db }: Pick<Deps, 'db'>): Promise<DefinedHeading[]> => {
  const fields = await db
    .selectFrom('defined_fields')
    .select(['name', 'aliases', 'data_class'])
    .where('archived_at', 'is', null)
    .orderBy('position')
    .orderBy('id')
    .execute()
  return fields.map(({ name, aliases, data_class }) => ({ name, aliases, isSensitive: data_class === 'sensitive' }))
}

/** Stores an uploaded file with the detected list. Returns the key of the import. */
export const storeImport = async (
  deps: Deps,
  { job, user, file }: { job: JobKey; user: User; file: UploadedFile },
): Promise<ImportKey | Problem<'refused' | 'slow-down'>> => {
  const defined = await readDefinedHeadings(deps)
  const detected = await deps.fileParsers.findList({ file: file.path, sheet: null, defined }, job.studioId)
  if (!('columns' in detected)) return readFailureProblem(detected)
  const fileKey = `studios/${job.studioId}/imports/${deps.newId()}`
  await deps.files.put(fileKey, createReadStream(file.path))
  const key = await inTransaction(deps.db, async (tx) => {
    const quotaProblem = await reserveStorage(tx, deps, { studioId: job.studioId, bytes: file.byteSize })
    if (quotaProblem) return quotaProblem
    const { id } = await tx
      .insertInto('imports')
      .values({
        studio_id: job.studioId,
        job_id: job.jobId,
        file_name: file.fileName.slice(0, maxNameLength) || 'A list',
        file_key: fileKey,
        byte_size: file.byteSize,
        made_by: user.id,
        rows_total: detected.rows,
        ...layoutOf(detected),
        created_at: deps.clock(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { ...job, importId: id }
  })
  if (key instanceof Problem) await deps.files.remove(fileKey)
  return key
}

const fileMissingMessage = 'The file of this import is not here any more. Please send it again'

/** The bytes of the uploaded file. */
export const readImportFile = async ({ files }: Deps, key: string | null): Promise<Buffer | Problem<'refused'>> => {
  const opened = key === null ? undefined : await files.read(key)
  if (opened?.outcome !== 'opened') return problem('refused', fileMissingMessage)
  return Buffer.concat(await opened.body.toArray())
}

/** Detects the list with another sheet or header row, for an import that has not run. */
export const changeImportLayout = async (
  deps: Deps,
  { key, version, sheet, headerRow }: { key: ImportKey; version: number } & LayoutInput,
): Promise<undefined | Problem<'not-found' | 'conflict' | 'refused' | 'slow-down'>> => {
  const { studioId, jobId, importId } = key
  const row = await deps.db
    .selectFrom('imports')
    .select(['file_key', 'sheet', 'version', 'state'])
    .where('studio_id', '=', studioId)
    .where('job_id', '=', jobId)
    .where('id', '=', importId)
    .executeTakeFirst()
  if (!row) return problem('not-found')
  if (row.version !== version) return problem('conflict')
  if (row.state !== 'mapping' && row.state !== 'previewed') return problem('refused', alreadyRanMessage)
  const bytes = await readImportFile(deps, row.file_key)
  if (!Buffer.isBuffer(bytes)) return bytes
  const defined = await readDefinedHeadings(deps)
  const request = { file: bytes, sheet: sheet ?? row.sheet, headerRow, defined }
  const detected = await deps.fileParsers.findList(request, studioId)
  if (!('columns' in detected)) return readFailureProblem(detected)
  const { numUpdatedRows } = await deps.db
    .updateTable('imports')
    .set({
      ...layoutOf(detected),
      state: 'mapping',
      rows_total: detected.rows,
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

/** The response to a change of an import: the import, or the problem that prevented the change. */
export const importResponse = async <ChangeProblem extends Problem>(
  { db }: Deps,
  key: ImportKey,
  failure: ChangeProblem | undefined,
) => failure ?? (await readImport(db, key)) ?? problem('not-found')
