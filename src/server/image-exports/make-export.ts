import { createHash } from 'node:crypto'
import { addDays } from 'date-fns/addDays'
import { sql } from 'kysely'
import type { ExportSettings } from '#domain/image-exports/export-settings.ts'
import { headCrop, type PlacedCrop } from '#domain/image-exports/head-crop.ts'
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { MakingRejected, madeFileDays, statesInProgress } from '../file-responses/made-files.ts'
import { renderEach } from '../images/engine/render-each.ts'
import type { CropImage } from '../images/print/crop-image.ts'
import { exportFileKey, exportFolder } from '../images/store/image-file-keys.ts'
import { readWholeFile } from '../images/store/image-files.ts'
import type { BackgroundJobs } from '../queue/background-jobs.ts'
import { StudioPaused, workUnlessPaused } from '../queue/pausable-work.ts'
import type { queues } from '../queue/queues.ts'
import { isStillShown, withSubjectAndImage } from './exported-files.ts'
import { planExport } from './plan-export.ts'

type ExportJob = { readonly studioId: number; readonly exportId: number }

/** The export to make, with the dependencies of the process. */
export type ExportContext = {
  readonly deps: Deps
  readonly key: ExportJob
  readonly cropImage: CropImage
  readonly signal: AbortSignal
}

type ExportRow = { jobId: number; settings: ExportSettings; isPlanned: boolean }

/** Marks an export as being made; undefined if it is finished, has failed or was deleted. */
const beginExport = async ({ deps, key: { studioId, exportId } }: ExportContext): Promise<ExportRow | undefined> => {
  const row = await deps.db
    .updateTable('image_exports')
    .set({ state: 'making', updated_at: deps.clock() })
    .where('studio_id', '=', studioId)
    .where('id', '=', exportId)
    .where('state', 'in', statesInProgress)
    .returning(['job_id', 'settings', 'files_total'])
    .executeTakeFirst()
  return row && { jobId: row.job_id, settings: row.settings, isPlanned: row.files_total !== null }
}

/** Stores which files the export has, once: a retry after an interruption continues with the same names and crops. */
const storePlan = ({ deps, key }: ExportContext, { jobId, settings }: ExportRow): Promise<void> =>
  inTransaction(deps.db, async (tx) => {
    const { studioId, exportId } = key
    const { files } = await planExport(tx, { studioId, jobId }, settings)
    const aspect = settings.width / settings.height
    const rows = files.map(({ subjectId, imageId, width, height, ordered, fileName }, position) => ({
      ...{ subjectId, imageId, fileName, position },
      placed: headCrop({ width, height }, aspect, { template: settings.template, ordered }),
    }))
    await sql`
      insert into image_export_files (studio_id, export_id, subject_id, image_id, position, file_name, placed)
      select ${studioId}::bigint, ${exportId}::bigint, x."subjectId", x."imageId", x.position, x."fileName", x.placed
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          as x ("subjectId" bigint, "imageId" bigint, "fileName" text, position integer, placed jsonb)
      on conflict do nothing`.execute(tx)
    await tx
      .updateTable('image_exports')
      .set({ files_total: files.length })
      .where('studio_id', '=', studioId)
      .where('id', '=', exportId)
      .execute()
  })

type FileToMake = {
  subjectId: number
  placed: PlacedCrop
  width: number
  height: number
  originalKey: string
  originalName: string
}

/** The files that are not made yet, without those of subjects and images that are not shown any more. */
const readFilesToMake = async ({ deps, key: { studioId, exportId } }: ExportContext): Promise<FileToMake[]> => {
  const { rows } = await sql<FileToMake>`
    select f.subject_id as "subjectId", f.placed, i.width, i.height, i.original_key as "originalKey", i.file_name as "originalName"
      from image_export_files f ${withSubjectAndImage}
     where f.studio_id = ${studioId} and f.export_id = ${exportId} and f.byte_size is null and ${isStillShown}
     order by f.position`.execute(deps.db)
  return rows
}

const cropFile = async (
  { deps, cropImage, signal }: ExportContext,
  { width, height, quality }: ExportSettings,
  file: FileToMake,
): Promise<Uint8Array> => {
  const source = await readWholeFile(deps.files, file.originalKey)
  if (!source) throw new MakingRejected(`The file of ${file.originalName} is missing. Upload it again, then retry`)
  const image = { width: file.width, height: file.height }
  try {
    return await cropImage({ source, image, ...file.placed, width, height, quality })
  } catch (error) {
    if (signal.aborted) throw error
    deps.log.warn({ err: error }, 'an image of an export could not be cropped')
    throw new MakingRejected(`${file.originalName} can’t be read. Replace it, then retry`)
  }
}

/** Throws if an export may not continue: its studio is paused, or an administrator cancelled it. */
const throwIfStopped = async ({ deps, key: { studioId, exportId } }: ExportContext): Promise<void> => {
  const { rows } = await sql<{ isPaused: boolean; isInProgress: boolean }>`
    select exists (select from paused_studios where studio_id = ${studioId}) as "isPaused",
           exists (select from image_exports where studio_id = ${studioId} and id = ${exportId}
                      and state in (${sql.join(statesInProgress)})) as "isInProgress"`.execute(deps.db)
  if (rows[0]?.isPaused) throw new StudioPaused(`studio ${studioId} is paused`)
  if (!rows[0]?.isInProgress) throw new MakingRejected('This export was cancelled')
}

type MadeFile = { readonly subjectId: number; readonly bytes: number; readonly contentHash: string }

/** Makes and stores one file under a stable name, so that a retry overwrites it. */
const makeFile = async (context: ExportContext, settings: ExportSettings, file: FileToMake): Promise<MadeFile> => {
  const { deps, key } = context
  const { subjectId } = file
  const jpeg = await cropFile(context, settings, file)
  await deps.files.put(exportFileKey(key, subjectId), jpeg)
  return { subjectId, bytes: jpeg.byteLength, contentHash: createHash('sha256').update(jpeg).digest('hex') }
}

const recordFiles = async ({ deps, key: { studioId, exportId } }: ExportContext, made: readonly MadeFile[]) => {
  await sql`
    update image_export_files f set byte_size = x.bytes, content_hash = x."contentHash"
      from jsonb_to_recordset(${JSON.stringify(made)}::jsonb) as x ("subjectId" bigint, bytes integer, "contentHash" text)
     where f.studio_id = ${studioId} and f.export_id = ${exportId} and f.subject_id = x."subjectId"`.execute(deps.db)
}

/**
 * How many files are recorded at a time, and made after a cancellation before the export stops. A statement for each would
 * double the work of the server's main thread. After a crash, files that were not recorded are made again.
 */
const filesPerRecord = 16

const makeFiles = async (context: ExportContext, settings: ExportSettings): Promise<void> => {
  const made: MadeFile[] = []
  const record = () => recordFiles(context, made.splice(0))
  await throwIfStopped(context)
  try {
    await renderEach(await readFilesToMake(context), context.signal, async (file) => {
      made.push(await makeFile(context, settings, file))
      if (made.length < filesPerRecord) return file
      await record()
      await throwIfStopped(context)
      return file
    })
  } finally {
    if (made.length > 0) await record()
  }
}

/** An export can be deleted as soon as it is cancelled: files that are made after that are removed here. */
const removeFilesIfDeleted = async ({ deps, key }: ExportContext): Promise<void> => {
  const row = await deps.db
    .selectFrom('image_exports')
    .select('id')
    .where('studio_id', '=', key.studioId)
    .where('id', '=', key.exportId)
    .executeTakeFirst()
  if (row) return
  for await (const file of deps.files.list(exportFolder(key))) await deps.files.remove(file.key)
}

const finishExport = async (
  { deps, key: { studioId, exportId } }: ExportContext,
  outcome: { state: 'ready'; expires_at: Date } | { state: 'failed'; error: string },
): Promise<void> => {
  await deps.db
    .updateTable('image_exports')
    .set({ ...outcome, updated_at: deps.clock() })
    .where('studio_id', '=', studioId)
    .where('id', '=', exportId)
    .where('state', 'in', statesInProgress)
    .execute()
}

const makeUnlessRejected = async (context: ExportContext, row: ExportRow): Promise<void> => {
  try {
    await makeFiles(context, row.settings)
    await finishExport(context, { state: 'ready', expires_at: addDays(context.deps.clock(), madeFileDays) })
  } catch (error) {
    if (!(error instanceof MakingRejected)) throw error
    await finishExport(context, { state: 'failed', error: error.message })
  }
}

/**
 * Makes the files of an export. A restart continues with the files that are missing. Staff see the errors that only they can
 * fix; the queue retries all others.
 */
export const makeImageExport = async (context: ExportContext): Promise<void> => {
  try {
    const row = await beginExport(context)
    if (!row) return
    if (!row.isPlanned) await storePlan(context, row)
    await makeUnlessRejected(context, row)
  } finally {
    await removeFilesIfDeleted(context)
  }
}

export const startImageExportWorker = async (
  jobs: BackgroundJobs<typeof queues>,
  deps: Deps,
  cropImage: CropImage,
): Promise<void> => {
  await workUnlessPaused(jobs, deps, { queue: 'make-image-export', concurrency: 1 }, ({ payload, signal }) =>
    makeImageExport({ deps, key: payload, cropImage, signal }),
  )
}

/** Removes the files of exports a week after they became ready, failed, or were last worked on. Their rows stay. */
export const expireImageExports = (deps: Deps): Promise<void> =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock()
    const rows = await tx
      .updateTable('image_exports')
      .set({ state: 'expired' })
      .where('state', '!=', 'expired')
      .where('updated_at', '<=', addDays(now, -madeFileDays))
      .returning(['studio_id', 'id'])
      .execute()
    if (rows.length === 0) return
    const folders = rows.map(({ studio_id: studioId, id: exportId }) => exportFolder({ studioId, exportId }))
    await deps.jobs.enqueue(tx, 'remove-files', { folders, keys: [] })
  })
