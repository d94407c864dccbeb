import { sql } from 'kysely'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import type { User } from '#server/access/tokens/access-token.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import type { Transaction } from '#server/database/database.ts'
import { inTransaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import type { UploadedFile } from '#server/http/forms/multipart-form.ts'
import { isStale, type Problem, problem } from '#server/http/problem.ts'
import { problemOfFile } from '../inspection/image-rejection.ts'
import { variantFileKeys } from '../store/image-file-keys.ts'
import { storeOriginal } from '../store/image-files.ts'
import { ingestImage } from '../store/ingest-image.ts'
import { reserveStorage } from '../store/storage-quota.ts'
import { type GreenScreenKey, greenScreenUsage } from './read-green-screens.ts'

type GreenScreenProblem = Problem<'not-found' | 'conflict' | 'refused'>

/** The limit on backgrounds of a job. */
const maxScreens = 100

type GreenScreenUpload = {
  readonly job: JobKey
  readonly user: User
  readonly file: UploadedFile
}

const nameFromFile = (fileName: string): string => {
  const words = fileName
    .replace(/\.\w{1,5}$/, '')
    .replace(/[_-]+/g, ' ')
    .trim()
  return words.slice(0, 60) || 'Background'
}

/** Locks the job, so that concurrent uploads run one after the other; returns the number of its backgrounds and the next position. */
const lockBackgrounds = async (tx: Transaction, { studioId, jobId }: JobKey) => {
  const job = sql`select id from jobs where studio_id = ${studioId} and id = ${jobId} for no key update`
  if ((await job.execute(tx)).rows.length === 0) return undefined
  const { rows } = await sql<{ count: number; next: number }>`
    select count(*) as count, coalesce(max(position), 0) + 1 as next
      from green_screens where studio_id = ${studioId} and job_id = ${jobId}`.execute(tx)
  return rows[0]
}

/**
 * Inspects an uploaded image, stores it and adds it to the job's backgrounds; its variants are made by a background job. Returns its id.
 */
export const addGreenScreen = async (
  deps: Deps,
  { job, user, file }: GreenScreenUpload,
): Promise<number | GreenScreenProblem | Problem<'slow-down'>> => {
  const { studioId, jobId } = job
  const inspected = await deps.fileParsers.inspect(file.path, studioId)
  if (!inspected.ok) return problemOfFile(file.fileName, inspected.refusal)
  const folder = `studios/${studioId}/jobs/${jobId}/backgrounds/${deps.newId()}`
  const original = await storeOriginal(deps.files, { folder, bytes: await file.read(), image: inspected.image })
  const added = await inTransaction(deps.db, async (tx) => {
    const locked = await lockBackgrounds(tx, job)
    if (!locked) return problem('not-found')
    if (locked.count >= maxScreens) return problem('refused', `An event has at most ${maxScreens} backgrounds`)
    const quotaProblem = await reserveStorage(tx, deps, { studioId, bytes: original.byteSize })
    if (quotaProblem) return quotaProblem
    const image = {
      fileName: file.fileName,
      owner: { kind: 'green-screen-background' },
      position: locked.next,
      publishedAt: deps.clock(),
    } as const
    const imageId = await ingestImage(tx, deps.jobs, { job, image, original })
    const name = nameFromFile(file.fileName)
    const { id } = await tx
      .insertInto('green_screens')
      .values({ studio_id: studioId, job_id: jobId, image_id: imageId, name, position: locked.next })
      .returning('id')
      .executeTakeFirstOrThrow()
    await recordAudit(tx, deps, {
      ...{ studioId, userId: user.id, detail: { name, jobId } },
      action: 'green-screen.made',
      entityId: String(id),
    })
    return id
  })
  if (typeof added !== 'number') await deps.files.remove(original.originalKey)
  return added
}

const lockScreen = (tx: Transaction, { studioId, jobId, id }: GreenScreenKey) =>
  tx
    .selectFrom('green_screens')
    .select(['name', 'version', 'image_id', 'is_enabled'])
    .where('studio_id', '=', studioId)
    .where('job_id', '=', jobId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

type GreenScreenChange = {
  readonly key: GreenScreenKey
  readonly user: User
  readonly body: { readonly name: string; readonly isEnabled: boolean; readonly version?: number | undefined }
}

/** Renames a background and sets whether customers may choose it; carts that have it stay unchanged. */
export const updateGreenScreen = (
  deps: Deps,
  { key, user, body }: GreenScreenChange,
): Promise<undefined | GreenScreenProblem> =>
  inTransaction(deps.db, async (tx) => {
    const screen = await lockScreen(tx, key)
    if (!screen) return problem('not-found')
    if (isStale(screen, body.version)) return problem('conflict')
    const { studioId, id } = key
    const name = body.name.trim()
    await tx
      .updateTable('green_screens')
      .set(({ eb }) => ({
        ...{ name, is_enabled: body.isEnabled, updated_at: deps.clock() },
        version: eb('version', '+', 1),
      }))
      .where('studio_id', '=', studioId)
      .where('id', '=', id)
      .execute()
    const detail = { name, enabled: body.isEnabled ? 'yes' : 'no' }
    await recordAudit(tx, deps, {
      studioId,
      action: 'green-screen.changed',
      entityId: String(id),
      detail,
      userId: user.id,
    })
    return undefined
  })

const isInUse = async (tx: Transaction, { studioId, id }: GreenScreenKey): Promise<boolean> => {
  const { rows } = await sql<{ chosen: boolean }>`
    select ${greenScreenUsage.carts} + ${greenScreenUsage.orders} > 0 as chosen from green_screens q
     where q.studio_id = ${studioId} and q.id = ${id}`.execute(tx)
  return rows[0]?.chosen ?? false
}

type GreenScreenFiles = { original_key: string; thumb_hash: string | null; preview_hash: string | null }

const removeFiles = async ({ files }: Deps, { original_key: original, thumb_hash, preview_hash }: GreenScreenFiles) => {
  await files.remove(original)
  for (const key of variantFileKeys(original, { thumb: thumb_hash, preview: preview_hash })) await files.remove(key)
}

/** Removes a background, with its image and files. Refused if a cart or an order has chosen it. */
export const removeGreenScreen = async (
  deps: Deps,
  { key, user }: { key: GreenScreenKey; user: User },
): Promise<undefined | GreenScreenProblem> => {
  const removed = await inTransaction(deps.db, async (tx): Promise<GreenScreenFiles | GreenScreenProblem> => {
    const screen = await lockScreen(tx, key)
    if (!screen) return problem('not-found')
    if (await isInUse(tx, key)) {
      return problem('refused', 'Customers have chosen this background. Switch it off instead, so that no one else can')
    }
    const { studioId, id } = key
    await tx.deleteFrom('green_screens').where('studio_id', '=', studioId).where('id', '=', id).execute()
    const files = await tx
      .deleteFrom('image_lookups')
      .where('studio_id', '=', studioId)
      .where('id', '=', screen.image_id)
      .returning(['original_key', 'thumb_hash', 'preview_hash'])
      .executeTakeFirstOrThrow()
    const detail = { name: screen.name }
    await recordAudit(tx, deps, {
      studioId,
      action: 'green-screen.removed',
      entityId: String(id),
      detail,
      userId: user.id,
    })
    return files
  })
  if (!('original_key' in removed)) return removed
  await removeFiles(deps, removed)
  return undefined
}

/** Sorts a job's backgrounds; those without an id in the list come last. */
export const reorderGreenScreens = (
  deps: Deps,
  job: JobKey,
  ids: readonly number[],
): Promise<undefined | GreenScreenProblem> =>
  inTransaction(deps.db, async (tx) => {
    if (!(await lockBackgrounds(tx, job))) return problem('not-found')
    const { studioId, jobId } = job
    const { rows } = await sql<{ id: number }>`
      select id from green_screens where studio_id = ${studioId} and job_id = ${jobId} order by position, id`.execute(
      tx,
    )
    const existingIds = new Set(rows.map(({ id }) => id))
    if (ids.some((id) => !existingIds.has(id)))
      return problem('refused', 'Not all of these backgrounds are in this event')
    const order = JSON.stringify([...new Set([...ids, ...existingIds])])
    await sql`
      update green_screens q set position = o.place
        from jsonb_array_elements_text(${order}::jsonb) with ordinality o (id, place)
       where q.studio_id = ${studioId} and q.id = o.id::bigint and q.position <> o.place`.execute(tx)
    return undefined
  })
