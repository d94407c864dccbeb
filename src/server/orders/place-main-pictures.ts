import { type RawBuilder, sql } from 'kysely'
import type { WhichOrders } from '../../contract/studio/order-lists.ts'
import type { CartPackage, ImageFact } from '../../domain/cart.ts'
import { fill } from '../../domain/line-content.ts'
import { withPicturesOf } from '../../domain/line-pictures.ts'
import { isTheCustomers, type OrderState } from '../../domain/order-states.ts'
import { mostTogether } from '../../domain/order-views.ts'
import { pictureEverywhere } from '../../domain/paper-order.ts'
import { photoAddress } from '../admission/photo-address.ts'
import type { Transaction } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { Deps } from '../deps.ts'
import type { User } from '../http/access-token.ts'
import type { JobKey } from '../http/admit.ts'
import type { OrderKey } from '../order-store/order-key.ts'
import { isMeantOrder } from '../order-store/sought-orders.ts'
import { keepPosed } from './keep-posed.ts'
import { type PosingLine, readPosingOrder } from './posing.ts'

type Asked = { readonly job: JobKey; readonly which: WhichOrders; readonly user: User }
type Main = {
  subjectId: number
  id: number
  width: number
  height: number
  hasAlpha: boolean
  hash: string
  grantId: string | null
}

const own = (studioId: number, orderId: number): RawBuilder<unknown> => sql`
  select g.id from session_grants g join orders o on o.session_id = g.session_id
   where o.studio_id = ${studioId} and o.id = ${orderId} and g.studio_id = u.studio_id and g.kind = 'subject'
     and g.subject_id = u.id and g.revoked_at is null order by g.id desc limit 1`

/** The picture that stands for each person, with the grant by which the order's own customer sees it, where they have one. */
const mainPictures = async (
  tx: Transaction,
  { studioId, orderId }: OrderKey,
  now: Date,
): Promise<Map<number, Main>> => {
  const { rows } = await sql<Main>`
    select u.id as "subjectId", t.id, t.width, t.height, t.has_alpha as "hasAlpha", t.thumb_hash as hash,
           (${own(studioId, orderId)}) as "grantId"
      from (select distinct subject_id from order_lines where studio_id = ${studioId} and order_id = ${orderId} and needs_poses) l
      join subjects u on u.studio_id = ${studioId} and u.id = l.subject_id
      join lateral (
        select i.* from image_lookups i
         where i.studio_id = u.studio_id and i.subject_id = u.id and i.kind = 'hosted-individual' and i.state = 'ready'
           and i.thumb_hash is not null and i.published_at <= ${now}::timestamptz
         order by (i.id = u.primary_image_id) desc nulls last, i.taken_at nulls last, i.position, i.id limit 1) t on true`.execute(
    tx,
  )
  return new Map(rows.map((row) => [row.subjectId, row]))
}

const factOf = ({ id: imageId, width, height, hasAlpha, hash, grantId }: Main): ImageFact => ({
  ...{ imageId, width, height, hasAlpha },
  thumbnailUrl: grantId === null ? '' : photoAddress({ grantId, imageId, variant: 'thumb', hash }),
})

/** A line with somebody's main picture in each place that has none. */
const posedWith = (line: CartPackage, main: Main): CartPackage => {
  const full = new Set(
    line.cartPackageItems
      .flatMap((item) => item.imageNodes)
      .filter((node) => node.subjectImageId !== null || node.groupImageId !== null)
      .map((node) => node.packageItemImageNodeId),
  )
  const everywhere = pictureEverywhere(line.snapshot.package, { subjectImageId: main.id, groupImageId: null })
  const imageNodes = everywhere.filter((node) => !full.has(node.packageItemImageNodeId))
  const snapshot = withPicturesOf(line.snapshot, { ...line.snapshot, images: [factOf(main)] })
  const greenScreenBackgroundId = line.greenScreen?.id ?? null
  const filled = fill(
    { ...line, snapshot },
    { greenScreenBackgroundId, dataFields: line.dataFields, textNodes: [], imageNodes },
  )
  if (!filled) throw new Error(`a package has a place that none of line ${line.lineId} is`)
  return filled
}

const nameOf = ({ line }: PosingLine): string => {
  const { firstName, lastName } = line.snapshot.subject
  return `${firstName} ${lastName}`.trim() || 'Somebody'
}

/** Places what can be placed on one order; who has no picture yet, by name. */
const placeOn = async (
  tx: Transaction,
  deps: Deps,
  { key, user }: { key: OrderKey; user: User },
): Promise<string[]> => {
  const order = await readPosingOrder(tx, key)
  if (!order) return []
  const waiting = order.lines.filter(({ needsPoses }) => needsPoses)
  const pictures = await mainPictures(tx, key, deps.clock())
  for (const found of waiting) {
    const main = pictures.get(found.line.subjectId)
    if (!main) continue
    await keepPosed(tx, deps, { key, found, line: posedWith(found.line, main), order, by: { userId: user.id } })
  }
  return waiting.filter(({ line }) => !pictures.has(line.subjectId)).map(nameOf)
}

const whyNot = (missing: readonly string[]): string => `${[...new Set(missing)].join(', ')}: no picture yet`

/** Puts everybody's main picture on the packages that wait for one (section 5); each order by itself, and who changes it waits. */
export const placeMainPictures = (deps: Deps, { job, which, user }: Asked) =>
  inTransaction(deps.db, async (tx) => {
    const { rows } = await sql<{ id: number; order_number: string; state: OrderState }>`
      select o.id, o.order_number, o.state from orders o where ${isMeantOrder(job, which)} and o.awaits_poses
       order by o.id limit ${mostTogether + 1} for update of o`.execute(tx)
    const refused: { orderNumber: string; why: string }[] = []
    const orders = rows.slice(0, mostTogether).filter(isTheCustomers)
    for (const { id: orderId, order_number: orderNumber } of orders) {
      const missing = await placeOn(tx, deps, { key: { studioId: job.studioId, orderId }, user })
      if (missing.length > 0) refused.push({ orderNumber, why: whyNot(missing) })
    }
    return { placed: orders.length - refused.length, refused, hasMore: rows.length > mostTogether }
  })
