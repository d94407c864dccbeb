import { type RawBuilder, sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { assignMainImages as call, SelectedOrders } from '#contract/studio/order-lists.ts'
import type { CartPackage, SnapshotImage } from '#domain/cart/cart.ts'
import { findMissingFields } from '#domain/cart/completeness.ts'
import { fillLine } from '#domain/cart/line-content.ts'
import { withSnapshotImages } from '#domain/cart/line-images.ts'
import { isGroupNode } from '#domain/catalogue/nodes.ts'
import { imageChoicesByNode } from '#domain/orders/paper-order.ts'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import type { User } from '#server/access/tokens/access-token.ts'
import type { Transaction } from '#server/database/database.ts'
import { inTransaction } from '#server/database/in-transaction.ts'
import type { Deps } from '#server/deps.ts'
import type { RecordAnswer } from '#server/http/idempotency.ts'
import { isCurrent } from '#server/images/store/current-images.ts'
import { imageUrl } from '#server/images/store/image-url.ts'
import type { OrderKey } from '../store/order-key.ts'
import { hasOrderId, nextSelectedOrders } from '../store/order-selection.ts'
import { readImageChoiceOrder } from './read-image-choice.ts'
import { isUnchanged, writeImageChoice } from './write-image-choice.ts'

type PlacePrimaryImagesRequest = {
  readonly job: JobKey
  readonly which: SelectedOrders
  readonly after?: number | undefined
  readonly user: User
  readonly recordIn: RecordAnswer
}

const waits = sql`(o.awaits_poses and o.state in ('placed', 'batched'))`

type PrimaryImage = { id: number; width: number; height: number; hasAlpha: boolean; hash: string }
type AwaitedSubject = {
  subjectId: number
  /** By which the order's own customer sees the person, where they have one. */
  grantId: string | null
  main: PrimaryImage | null
  /** One of their groups where there is exactly one to choose. */
  group: PrimaryImage | null
  groupCount: number
}

const own = (studioId: number, orderId: number): RawBuilder<unknown> => sql`
  select g.id from session_grants g join orders o on o.session_id = g.session_id
   where o.studio_id = ${studioId} and o.id = ${orderId} and g.studio_id = u.studio_id and g.kind = 'subject'
     and g.subject_id = u.id and g.revoked_at is null order by g.id desc limit 1`

const picture = sql`json_build_object(
  'id', i.id, 'width', i.width, 'height', i.height, 'hasAlpha', i.has_alpha, 'hash', i.thumb_hash)`

const isOut = (now: Date): RawBuilder<boolean> =>
  sql`${isCurrent} and i.state = 'ready' and i.thumb_hash is not null and i.published_at <= ${now}::timestamptz`

/** The people whom an order waits for, with the picture that stands for each, and that of their group. */
const readPeople = async (
  tx: Transaction,
  { studioId, orderId }: OrderKey,
  now: Date,
): Promise<Map<number, AwaitedSubject>> => {
  const { rows } = await sql<AwaitedSubject>`
    select u.id as "subjectId", (${own(studioId, orderId)}) as "grantId",
           (select ${picture} from image_lookups i
             where i.studio_id = u.studio_id and i.subject_id = u.id and i.kind = 'hosted-individual' and ${isOut(now)}
             order by (i.id = u.primary_image_id) desc nulls last, i.taken_at nulls last, i.position, i.id limit 1) as main,
           case when t.count = 1 then t.pictures -> 0 end as "group", t.count as "groupCount"
      from (select distinct subject_id from order_lines where studio_id = ${studioId} and order_id = ${orderId} and needs_poses) l
      join subjects u on u.studio_id = ${studioId} and u.id = l.subject_id
      cross join lateral (
        select count(*)::int as count, json_agg(${picture}) as pictures from image_lookups i
         where i.studio_id = u.studio_id and i.job_id = u.job_id and i.kind = 'hosted-group' and ${isOut(now)}
           and i.group_id in (select m.group_id from subject_groups m where m.studio_id = u.studio_id and m.subject_id = u.id)) t`.execute(
    tx,
  )
  return new Map(rows.map((row) => [row.subjectId, row]))
}

const factOf = (
  { id: imageId, width, height, hasAlpha, hash }: PrimaryImage,
  grantId: string | null,
): SnapshotImage => ({
  ...{ imageId, width, height, hasAlpha },
  thumbnailUrl: grantId === null ? '' : imageUrl({ grantId, imageId, variant: 'thumb', hash }),
})

/** A line with somebody's main picture in each place of theirs that has none, and their group's in each of a group's. */
const posedWith = (line: CartPackage, { main, group, grantId }: AwaitedSubject): CartPackage => {
  const full = new Set(
    line.cartPackageItems
      .flatMap((item) => item.imageNodes)
      .filter((node) => node.subjectImageId !== null || node.groupImageId !== null)
      .map((node) => node.packageItemImageNodeId),
  )
  const picked = { subjectImageId: main?.id ?? null, groupImageId: group?.id ?? null }
  const imageNodes = imageChoicesByNode(line.snapshot.package, picked).filter(
    (node) => !full.has(node.packageItemImageNodeId),
  )
  const placed = new Set(imageNodes.map(({ subjectImageId, groupImageId }) => subjectImageId ?? groupImageId))
  const brought = [main, group].filter((one) => one !== null).filter(({ id }) => placed.has(id))
  const images = brought.map((one) => factOf(one, grantId))
  const snapshot = withSnapshotImages(line.snapshot, { ...line.snapshot, images })
  const greenScreenBackgroundId = line.greenScreen?.id ?? null
  const filled = fillLine(
    { ...line, snapshot },
    { greenScreenBackgroundId, dataFields: line.dataFields, textNodes: [], imageNodes },
  )
  if (!filled) throw new Error(`a package has a place that none of line ${line.lineId} is`)
  return filled
}

const nameOf = ({ snapshot }: CartPackage): string => {
  const { firstName, lastName } = snapshot.subject
  return `${firstName} ${lastName}`.trim() || 'Somebody'
}

/** What keeps the places of a line empty, in words; none where none is. */
const whyEmpty = (line: CartPackage, { groupCount }: Pick<AwaitedSubject, 'groupCount'>): string[] => {
  const ofGroup = groupCount > 1 ? 'several group pictures to choose from' : 'no group picture yet'
  return findMissingFields(line, 'gallery')
    .filter(({ kind }) => kind === 'image')
    .map((node) => `${nameOf(line)}: ${isGroupNode(node) ? ofGroup : 'no picture yet'}`)
}

/** Places what can be placed on one order; what stays empty, in words. */
const placeOn = async (
  tx: Transaction,
  deps: Deps,
  { key, user }: { key: OrderKey; user: User },
): Promise<string[]> => {
  const order = await readImageChoiceOrder(tx, key)
  if (!order) return []
  const people = await readPeople(tx, key, deps.clock())
  const empty: string[] = []
  for (const found of order.lines.filter(({ needsPoses }) => needsPoses)) {
    const person = people.get(found.line.subjectId)
    if (!person) throw new Error(`line ${found.id} is of somebody who is not there`)
    const line = posedWith(found.line, person)
    empty.push(...whyEmpty(line, person))
    if (isUnchanged(found.line, line)) continue
    await writeImageChoice(tx, deps, { key, found, line, order, by: { userId: user.id } })
  }
  return [...new Set(empty)]
}

type Order = { id: number; orderNumber: string }
type Answer = Infer<(typeof call)['answer']>

/** Those of the orders that wait for pictures and are their customers' still, under their locks. */
const lockWaiting = async (tx: Transaction, { studioId }: JobKey, ids: readonly number[]): Promise<Order[]> => {
  const { rows } = await sql<Order>`
    select o.id, o.order_number as "orderNumber" from orders o
     where o.studio_id = ${studioId} and ${hasOrderId(ids)} and ${waits} order by o.id for update of o`.execute(tx)
  return rows
}

/** So many are locked at a time: who changes one of them at the same moment waits no longer than these take. */
const lockedTogether = 20

/** Puts everybody's main picture on the packages that wait for one (section 5), a few orders at a time; who changes one of those waits. */
export const placePrimaryImages = async (
  deps: Deps,
  { user, recordIn, ...asked }: PlacePrimaryImagesRequest,
): Promise<Answer> => {
  const { studioId } = asked.job
  const { ids, after } = await nextSelectedOrders(deps.db, { ...asked, may: waits })
  let answer: Answer = { placed: 0, refused: [], after }
  for (let first = 0; first < ids.length; first += lockedTogether) {
    const before = answer
    answer = await inTransaction(deps.db, async (tx) => {
      const orders = await lockWaiting(tx, asked.job, ids.slice(first, first + lockedTogether))
      const refused: Answer['refused'] = []
      for (const { id: orderId, orderNumber } of orders) {
        const empty = await placeOn(tx, deps, { key: { studioId, orderId }, user })
        if (empty.length > 0) refused.push({ orderNumber, why: empty.join(', ') })
      }
      const placed = before.placed + orders.length - refused.length
      const sofar = { placed, refused: [...before.refused, ...refused], after }
      // Broken off before, a repetition goes on with what still waits.
      if (first + lockedTogether >= ids.length) await recordIn(tx, sofar)
      return sofar
    })
  }
  return answer
}
