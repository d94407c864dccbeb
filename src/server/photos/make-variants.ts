import { sql } from 'kysely'
import pLimit from 'p-limit'
import type { Db } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { Deps } from '../deps.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { queues } from '../jobs/queues.ts'
import { drawWatermark, type Watermark } from '../pictures/watermark.ts'
import { type InTurn, keepVariants, readWhole, variantKey } from './picture-files.ts'

export type ImageKey = { readonly studioId: number; readonly imageId: number }

type Working = Pick<Deps, 'db' | 'files' | 'clock' | 'log'>

/** One picture a core in the image library: more at once only wait for each other, and the event loop with them. */
const renderedAtOnce = 2
/** More in hand than are rendered: while one is fetched, stored and written down, the cores have another to render. */
const picturesInHand = 4

type Waiting = {
  original_key: string
  thumb_hash: string | null
  preview_hash: string | null
  file_name: string
  job_id: number
  mark: string
}

const readWaiting = async (db: Db, { studioId, imageId }: ImageKey): Promise<Waiting | undefined> => {
  const { rows } = await sql<Waiting>`
    select i.original_key, i.thumb_hash, i.preview_hash, i.file_name, i.job_id, coalesce(w.text, s.name) as mark
      from image_lookups i join jobs j on j.studio_id = i.studio_id and j.id = i.job_id
      join studios s on s.id = i.studio_id left join watermarks w on w.id = j.watermark_id and w.kind = 'text'
     where i.studio_id = ${studioId} and i.id = ${imageId} and i.state = 'processing'`.execute(db)
  return rows[0]
}

/** Watermarks drawn lately: the pictures of a shoot come one after the other, and all have the same. */
const markKeeper = () => {
  const most = 4
  const drawn = new Map<string, Promise<Watermark>>()
  return (name: string): Promise<Watermark> => {
    const kept = drawn.get(name) ?? drawWatermark(name)
    drawn.delete(name)
    drawn.set(name, kept)
    for (const oldest of [...drawn.keys()].slice(0, -most)) drawn.delete(oldest)
    return kept
  }
}

type Finished = Awaited<ReturnType<typeof keepVariants>>

/** Writes what became of a picture, unless another try did already. */
const settle = ({ db, clock }: Working, { studioId, imageId }: ImageKey, waiting: Waiting, finished: Finished) =>
  inTransaction(db, async (tx) => {
    const outcome = finished.ok
      ? { ...finished.columns, state: 'ready' as const }
      : { state: 'refused' as const, refusal: finished.refusal.sentence }
    const settled = await tx
      .updateTable('image_lookups')
      .set({ ...outcome, updated_at: clock(), version: sql`version + 1` })
      .where('studio_id', '=', studioId)
      .where('id', '=', imageId)
      .where('state', '=', 'processing')
      .returning('id')
      .executeTakeFirst()
    if (!settled) return
    const told = { studio_id: studioId, job_id: waiting.job_id, image_id: imageId, file_name: waiting.file_name }
    const state = finished.ok ? ('done' as const) : ('refused' as const)
    const message = finished.ok ? null : finished.refusal.sentence
    await tx
      .insertInto('processing_log')
      .values({ ...told, step: 'variants', state, message })
      .execute()
  })

/** Variants of other bytes than the new ones, from before the picture was replaced or its mark changed. */
const removeFormer = async ({ files }: Working, waiting: Waiting, finished: Finished): Promise<void> => {
  if (!finished.ok) return
  const { thumb_hash, preview_hash } = finished.columns
  const former = [
    { variant: 'thumb', hash: waiting.thumb_hash, now: thumb_hash },
    { variant: 'preview', hash: waiting.preview_hash, now: preview_hash },
  ] as const
  for (const { variant, hash, now } of former) {
    if (hash === null || hash === now) continue
    for (const format of ['webp', 'jpeg'] as const) {
      await files.remove(variantKey(waiting.original_key, { variant, hash, format }))
    }
  }
}

/**
 * Makes what customers see of one picture: from `processing` to `ready`, or `refused` with the reason. Bears being run again at
 * any point; a picture that is not waiting is left alone.
 */
export const makeVariantsOf = async (
  working: Working,
  image: ImageKey,
  { markOf = drawWatermark, inTurn }: { markOf?: (name: string) => Promise<Watermark>; inTurn?: InTurn } = {},
): Promise<void> => {
  const waiting = await readWaiting(working.db, image)
  if (!waiting) return
  const original = await readWhole(working.files, waiting.original_key)
  if (!original) throw new Error(`The original of image ${image.imageId} is not in the store`)
  const watermark = await markOf(waiting.mark)
  const finished = await keepVariants(working.files, original, { originalKey: waiting.original_key, watermark, inTurn })
  await settle(working, image, waiting, finished)
  await removeFormer(working, waiting, finished)
}

/** Starts the workers of the queue `make-variants`; to be called where the server starts. */
export const workOnPictures = async (jobs: Jobs<typeof queues>, working: Working): Promise<void> => {
  const markOf = markKeeper()
  const inTurn: InTurn = pLimit(renderedAtOnce)
  await jobs.work('make-variants', picturesInHand, ({ payload }) =>
    makeVariantsOf(working, payload, { markOf, inTurn }),
  )
}
