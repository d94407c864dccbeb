import { sql } from 'kysely'
import type { CartPackageItem, LineSnapshot } from '#domain/cart/cart.ts'
import { type NewLineImage, swapLineImage } from '#domain/orders/swap-line-image.ts'
import { touchCarts } from '#server/carts/store/touch-carts.ts'
import type { Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { inClosedBatch } from '#server/orders/store/assign-batch.ts'
import { recordOrderEvents } from '#server/webhooks/outbox/record-events.ts'
import type { ImageKey } from './read-images.ts'

type Line = { id: number; order_id: number; content: CartPackageItem[]; snapshot: LineSnapshot }

/** Open carts get the new image; a cart that is being paid stays unchanged. */
const replaceInCarts = async (tx: Transaction, deps: Deps, { key, to }: ReferenceMove): Promise<void> => {
  const { studioId, jobId, imageId } = key
  await touchCarts(tx, deps, key)
  for (const column of ['subject_image_id', 'group_image_id', 'replacement_image_id']) {
    await sql`
      update cart_image_nodes x set ${sql.ref(column)} = ${to.imageId}
        from cart_packages l join carts c on c.studio_id = l.studio_id and c.id = l.cart_id
       where x.studio_id = ${studioId} and x.${sql.ref(column)} = ${imageId}
         and l.studio_id = x.studio_id and l.id = x.cart_package_id and c.job_id = ${jobId} and c.state = 'open'`.execute(
      tx,
    )
  }
  await sql`
    update cart_order_services s set image_id = ${to.imageId} from carts c
     where s.studio_id = ${studioId} and s.image_id = ${imageId} and c.studio_id = s.studio_id and c.id = s.cart_id
       and c.job_id = ${jobId} and c.state = 'open'`.execute(tx)
}

/** SQL: order line `l` shows the image. */
const lineShows = (imageId: number) => {
  const contentWith = (name: string) => JSON.stringify([{ imageNodes: [{ [name]: imageId }] }])
  return sql<boolean>`(l.content @> ${contentWith('subjectImageId')}::jsonb
    or l.content @> ${contentWith('groupImageId')}::jsonb or l.content @> ${contentWith('replacementImageId')}::jsonb)`
}

const recordChangedOrders = (tx: Transaction, deps: Deps, studioId: number, orderIds: readonly number[]) => {
  const changes = [...new Set(orderIds)].map((orderId) => ({ orderId, events: ['order.changed'] as const }))
  return recordOrderEvents(tx, deps, studioId, changes)
}

/** Records a change of each order that shows the image, whose bytes are replaced; cancelled orders do not change. */
export const recordReplacedInOrders = async (
  tx: Transaction,
  deps: Deps,
  { studioId, jobId, imageId }: ImageKey,
): Promise<void> => {
  const { rows } = await sql<{ id: number }>`
    select distinct o.id from orders o
      join order_lines l on l.studio_id = o.studio_id and l.order_id = o.id
     where o.studio_id = ${studioId} and o.job_id = ${jobId} and o.state <> 'cancelled' and ${lineShows(imageId)}
     order by o.id`.execute(tx)
  await recordChangedOrders(
    tx,
    deps,
    studioId,
    rows.map(({ id }) => id),
  )
}

/** Prepaid orders, which were placed before the picture day, get the new image until their batch is closed or the lab has them. */
const replaceInPrepaidOrders = async (tx: Transaction, deps: Deps, { key, to }: ReferenceMove): Promise<void> => {
  const { studioId, jobId, imageId } = key
  const { clock } = deps
  const { rows } = await sql<Line>`
    select l.id, l.order_id, l.content, l.snapshot from orders o
      join order_lines l on l.studio_id = o.studio_id and l.order_id = o.id
     where o.studio_id = ${studioId} and o.job_id = ${jobId} and o.order_method = 'prepay'
       and o.state in ('placed', 'batched') and not ${inClosedBatch}
       and ${lineShows(imageId)}
     order by o.id, l.id for update of o`.execute(tx)
  for (const { id, order_id: orderId, content, snapshot } of rows) {
    const line = swapLineImage({ items: content, snapshot }, imageId, to)
    await tx
      .updateTable('order_lines')
      .set({
        content: JSON.stringify(line.items),
        snapshot: JSON.stringify(line.snapshot),
        version: (eb) => eb('version', '+', 1),
        updated_at: clock(),
      })
      .where('studio_id', '=', studioId)
      .where('id', '=', id)
      .execute()
    await tx
      .updateTable('orders')
      .set({ version: (eb) => eb('version', '+', 1), updated_at: clock() })
      .where('studio_id', '=', studioId)
      .where('id', '=', orderId)
      .execute()
    await tx
      .updateTable('downloads')
      .set({ image_id: to.imageId })
      .where('studio_id', '=', studioId)
      .where('order_id', '=', orderId)
      .where('image_id', '=', imageId)
      .where('downloaded_at', 'is', null)
      .execute()
  }
  await recordChangedOrders(
    tx,
    deps,
    studioId,
    rows.map((line) => line.order_id),
  )
}

type ReferenceMove = { readonly key: ImageKey; readonly to: NewLineImage }

/** Open carts, and prepaid orders that are not at the lab, get the new image instead of the old one (section 7). */
export const moveReferences = async (tx: Transaction, deps: Deps, move: ReferenceMove): Promise<void> => {
  await replaceInCarts(tx, deps, move)
  await replaceInPrepaidOrders(tx, deps, move)
}
