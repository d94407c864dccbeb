import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { uuidFrom } from '../http/hash.ts'
import type { Compose } from '../images/engine/compose-image.ts'
import { compositionKey, variantKey } from '../images/store/variant-files.ts'
import type { OrderKey } from '../orders/store/sold-lines.ts'
import type { BackgroundJobs } from '../queue/background-jobs.ts'
import type { queues } from '../queue/queues.ts'
import type { MissingComposition } from './download-files.ts'
import { findDownload } from './find-download.ts'

const formats = ['webp', 'jpeg'] as const

type CompositionContext = { readonly deps: Deps; readonly compose: Compose; readonly signal: AbortSignal }

/** Reads an original; null if its file cannot be opened. */
const readOriginal = async ({ files }: Deps, key: string): Promise<Uint8Array | null> => {
  const file = await files.read(key)
  return file.outcome === 'opened' ? Buffer.concat(await file.body.toArray()) : null
}

/** Reports a missing original to staff, unless the order already has an unresolved report for it. */
const reportMissingOriginal = async (
  { db, clock }: Deps,
  { studioId, orderId }: OrderKey,
  imageId: number,
): Promise<void> => {
  const message = `The original of image ${imageId} is missing and can’t be downloaded`
  await sql`
    insert into order_errors (studio_id, job_id, order_number, stage, message, created_at)
    select o.studio_id, o.job_id, o.order_number, 'download', ${message}, ${clock()} from orders o
     where o.studio_id = ${studioId} and o.id = ${orderId} and not exists (
       select from order_errors e where e.studio_id = o.studio_id and e.order_number = o.order_number and e.stage = 'download'
          and e.message = ${message} and e.resolved_at is null)`.execute(db)
}

type StoredComposition = { readonly key: string; readonly thumbHash: string }

/** Deletes compositions of the same two images that were made from files that have been replaced since. */
const deleteFormerCompositions = async (
  { db, files }: Deps,
  { studioId, missing, stored }: { studioId: number; missing: MissingComposition; stored: StoredComposition },
): Promise<void> => {
  const formerCompositions = await db
    .deleteFrom('compositions')
    .where('studio_id', '=', studioId)
    .where('image_id', '=', missing.imageId)
    .where('background_id', '=', missing.backgroundId)
    .where('sources', '!=', missing.sources)
    .returning(['file_key', 'thumb_hash'])
    .execute()
  for (const { file_key: key, thumb_hash: hash } of formerCompositions) {
    if (key !== stored.key) await files.remove(key)
    if (hash === stored.thumbHash) continue
    for (const format of formats) await files.remove(variantKey(key, { variant: 'thumb', hash, format }))
  }
}

/**
 * Composes a cut-out with its background and stores the image with its thumbnails. The file name contains the hash of
 * the bytes. Of two concurrent runs, the one that inserts its row first wins. If one of the two originals is missing,
 * reports it to staff instead.
 */
const composeAndStore = async (
  { deps, compose, signal }: CompositionContext,
  order: OrderKey,
  missing: MissingComposition,
): Promise<void> => {
  const { imageId, backgroundId, sources, originalKey } = missing
  const { studioId } = order
  const image = await readOriginal(deps, originalKey)
  if (image === null) return await reportMissingOriginal(deps, order, imageId)
  const background = await readOriginal(deps, missing.backgroundKey)
  if (background === null) return await reportMissingOriginal(deps, order, backgroundId)
  const { jpeg, width, height, thumb } = await compose({ image, background }, signal)
  const hash = createHash('sha256').update(jpeg).digest('hex')
  const key = compositionKey(originalKey, { backgroundId, hash })
  await deps.files.put(key, jpeg)
  for (const format of formats) {
    await deps.files.put(variantKey(originalKey, { variant: 'thumb', hash: thumb.hash, format }), thumb[format])
  }
  await deps.db
    .insertInto('compositions')
    .values({
      studio_id: studioId,
      image_id: imageId,
      background_id: backgroundId,
      sources,
      file_key: key,
      byte_size: jpeg.byteLength,
      content_hash: hash,
      width,
      height,
      thumb_hash: thumb.hash,
      thumb_width: thumb.width,
      thumb_height: thumb.height,
      made_at: deps.clock(),
    })
    .onConflict((conflict) => conflict.columns(['studio_id', 'image_id', 'background_id', 'sources']).doNothing())
    .execute()
  await deleteFormerCompositions(deps, { studioId, missing, stored: { key, thumbHash: thumb.hash } })
}

/**
 * Creates the missing compositions of an order's downloads, except of revoked ones. A retry creates only those that are
 * still missing.
 */
export const composeDownloads = async (context: CompositionContext, { studioId, orderId }: OrderKey): Promise<void> => {
  const { deps, signal } = context
  const links = await deps.db
    .selectFrom('downloads')
    .select('link_id')
    .where('studio_id', '=', studioId)
    .where('order_id', '=', orderId)
    .where('revoked_at', 'is', null)
    .orderBy('id')
    .execute()
  for (const { link_id: linkId } of links) {
    const download = await findDownload(deps, linkId)
    for (const missing of download?.missing ?? []) {
      signal.throwIfAborted()
      await composeAndStore(context, { studioId, orderId }, missing)
    }
  }
}

/**
 * Enqueues the composition of an order's downloads, at most once a minute: the page of the downloads calls it whenever
 * compositions are missing, as they are after an image was replaced.
 */
export const enqueueComposition = (deps: Deps, { studioId, orderId }: OrderKey): Promise<void> =>
  inTransaction(deps.db, async (tx) => {
    const minute = deps.clock().toISOString().slice(0, 16)
    const id = uuidFrom(`compose-downloads ${studioId} ${orderId} ${minute}`)
    await deps.jobs.enqueue(tx, 'compose-downloads', { studioId, orderId }, { id })
  })

export const startCompositionWorker = async (
  jobs: BackgroundJobs<typeof queues>,
  deps: Deps,
  compose: Compose,
): Promise<void> => {
  await jobs.work('compose-downloads', 1, ({ payload, signal }) => composeDownloads({ deps, compose, signal }, payload))
}
