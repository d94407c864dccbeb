import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { inTransaction } from '../database/in-transaction.ts'
import type { Deps } from '../deps.ts'
import { uuidFrom } from '../http/hash.ts'
import type { Compose } from '../images/engine/compose-image.ts'
import { compositionKey, variantKey } from '../images/store/variant-files.ts'
import type { OrderKey } from '../orders/store/order-key.ts'
import type { BackgroundJobs } from '../queue/background-jobs.ts'
import type { queues } from '../queue/queues.ts'
import type { MissingComposition } from './download-files.ts'
import { findDownload } from './find-download.ts'

const formats = ['webp', 'jpeg'] as const

type CompositionContext = { readonly deps: Deps; readonly compose: Compose; readonly signal: AbortSignal }

/** The original of an image; null where it is missing in the store, which only staff can fix. */
const readOriginal = async ({ files }: Deps, key: string): Promise<Uint8Array | null> => {
  const read = await files.read(key)
  return read.outcome === 'opened' ? Buffer.concat(await read.body.toArray()) : null
}

/** Reports a missing image to staff, once until they resolve it. */
const tellStaff = async ({ db, clock }: Deps, { studioId, orderId }: OrderKey, imageId: number): Promise<void> => {
  const message = `The original of picture ${imageId} is not here any more, and so cannot be downloaded`
  await sql`
    insert into order_errors (studio_id, job_id, order_number, stage, message, created_at)
    select o.studio_id, o.job_id, o.order_number, 'download', ${message}, ${clock()} from orders o
     where o.studio_id = ${studioId} and o.id = ${orderId} and not exists (
       select from order_errors e where e.studio_id = o.studio_id and e.order_number = o.order_number and e.stage = 'download'
          and e.message = ${message} and e.resolved_at is null)`.execute(db)
}

type StoredComposition = { readonly key: string; readonly thumbHash: string }

/** Deletes compositions made before one of the two images was replaced. */
const forgetFormer = async (
  { db, files }: Deps,
  { studioId, missing, stored }: { studioId: number; missing: MissingComposition; stored: StoredComposition },
): Promise<void> => {
  const former = await db
    .deleteFrom('compositions')
    .where('studio_id', '=', studioId)
    .where('image_id', '=', missing.imageId)
    .where('background_id', '=', missing.backgroundId)
    .where('sources', '!=', missing.sources)
    .returning(['file_key', 'thumb_hash'])
    .execute()
  for (const { file_key: key, thumb_hash: hash } of former) {
    if (key !== stored.key) await files.remove(key)
    if (hash === stored.thumbHash) continue
    for (const format of formats) await files.remove(variantKey(key, { variant: 'thumb', hash, format }))
  }
}

/**
 * Composes a cut-out with its background and stores the file. The file is named by its bytes; of two concurrent runs, the row written first
 * decides.
 */
const composeOne = async (
  { deps, compose, signal }: CompositionContext,
  order: OrderKey,
  wanted: MissingComposition,
): Promise<void> => {
  const { imageId, backgroundId, sources, originalKey } = wanted
  const { studioId } = order
  const picture = await readOriginal(deps, originalKey)
  if (picture === null) return await tellStaff(deps, order, imageId)
  const background = await readOriginal(deps, wanted.backgroundKey)
  if (background === null) return await tellStaff(deps, order, backgroundId)
  const { jpeg, width, height, thumb } = await compose({ image: picture, background }, signal)
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
  await forgetFormer(deps, { studioId, missing: wanted, stored: { key, thumbHash: thumb.hash } })
}

/** Makes the compositions that an order's downloads lack. A retry continues with those still missing. */
export const composeDownloads = async (making: CompositionContext, { studioId, orderId }: OrderKey): Promise<void> => {
  const { deps, signal } = making
  const links = await deps.db
    .selectFrom('downloads')
    .select('link_id')
    .where('studio_id', '=', studioId)
    .where('order_id', '=', orderId)
    .where('revoked_at', 'is', null)
    .orderBy('id')
    .execute()
  for (const { link_id: linkId } of links) {
    const found = await findDownload(deps, linkId)
    for (const wanted of found?.missing ?? []) {
      signal.throwIfAborted()
      await composeOne(making, { studioId, orderId }, wanted)
    }
  }
}

/**
 * Enqueues the missing compositions of an order whose downloads are viewed, at most once a minute: an image was published or replaced
 * since.
 */
export const enqueueComposition = (deps: Deps, { studioId, orderId }: OrderKey): Promise<void> =>
  inTransaction(deps.db, async (tx) => {
    const minute = deps.clock().toISOString().slice(0, 16)
    const id = uuidFrom(`compose-downloads ${studioId} ${orderId} ${minute}`)
    await deps.jobs.enqueue(tx, 'compose-downloads', { studioId, orderId }, { id })
  })

export const workOnCompositions = async (
  jobs: BackgroundJobs<typeof queues>,
  deps: Deps,
  compose: Compose,
): Promise<void> => {
  await jobs.work('compose-downloads', 1, ({ payload, signal }) => composeDownloads({ deps, compose, signal }, payload))
}
