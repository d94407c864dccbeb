import { type RawBuilder, sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { assignMainImages as call, SelectedOrders } from '#contract/studio/order-lists.ts'
import type { CartPackage, SnapshotImage } from '#domain/cart/cart.ts'
import { findMissingFields } from '#domain/cart/completeness.ts'
import { fillLine, withSnapshotImages } from '#domain/cart/line-content.ts'
import { isGroupNode } from '#domain/catalogue/nodes.ts'
import { imageChoicesByNode } from '#domain/orders/paper-order.ts'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import type { User } from '#server/access/tokens/access-token.ts'
import type { Transaction } from '#server/database/database.ts'
import { inTransaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import type { RecordResponse } from '#server/http/idempotency.ts'
import { isCurrent } from '#server/images/store/image-conditions.ts'
import { imageUrl } from '#server/images/store/image-urls.ts'
import { hasOrderId, nextSelectedOrders } from '../store/order-selection.ts'
import type { OrderKey } from '../store/sold-lines.ts'
import { readImageChoiceOrder } from './read-image-choice.ts'
import { isUnchanged, writeImageChoice } from './write-image-choice.ts'

type PlacePrimaryImagesRequest = {
  readonly job: JobKey
  readonly which: SelectedOrders
  readonly after?: number | undefined
  readonly user: User
  readonly recordResponse: RecordResponse
}

const awaitsImages = sql`(o.awaits_poses and o.state in ('placed', 'batched'))`

type PrimaryImage = { id: number; width: number; height: number; hasAlpha: boolean; hash: string }
type AwaitedSubject = {
  subjectId: number
  /** The grant by which the order's customer sees the subject, if any. */
  grantId: string | null
  main: PrimaryImage | null
  /** The subject's group image, if there is exactly one. */
  group: PrimaryImage | null
  groupCount: number
}

const customerGrant = (studioId: number, orderId: number): RawBuilder<unknown> => sql`
  select g.id from session_grants g join orders o on o.session_id = g.session_id
   where o.studio_id = ${studioId} and o.id = ${orderId} and g.studio_id = u.studio_id and g.kind = 'subject'
     and g.subject_id = u.id and g.revoked_at is null order by g.id desc limit 1`

const imageJson = sql`json_build_object(
  'id', i.id, 'width', i.width, 'height', i.height, 'hasAlpha', i.has_alpha, 'hash', i.thumb_hash)`

const isVisible = (now: Date): RawBuilder<boolean> =>
  sql`${isCurrent} and i.state = 'ready' and i.thumb_hash is not null and i.published_at <= ${now}::timestamptz`

/** The subjects whose images an order awaits, each with its primary or else first image, and with its group image if there is exactly one. */
const readSubjects = async (
  tx: Transaction,
  { studioId, orderId }: OrderKey,
  now: Date,
): Promise<Map<number, AwaitedSubject>> => {
  const { rows } = await sql<AwaitedSubject>`
    select u.id as "subjectId", (${customerGrant(studioId, orderId)}) as "grantId",
           (select ${imageJson} from image_lookups i
             where i.studio_id = u.studio_id and i.subject_id = u.id and i.kind = 'hosted-individual' and ${isVisible(now)}
             order by (i.id = u.primary_image_id) desc nulls last, i.taken_at nulls last, i.position, i.id limit 1) as main,
           case when t.count = 1 then t.images -> 0 end as "group", t.count as "groupCount"
      from (select distinct subject_id from order_lines where studio_id = ${studioId} and order_id = ${orderId} and needs_poses) l
      join subjects u on u.studio_id = ${studioId} and u.id = l.subject_id
      cross join lateral (
        select count(*)::int as count, json_agg(${imageJson}) as images from image_lookups i
         where i.studio_id = u.studio_id and i.job_id = u.job_id and i.kind = 'hosted-group' and ${isVisible(now)}
           and i.group_id in (select m.group_id from subject_groups m where m.studio_id = u.studio_id and m.subject_id = u.id)) t`.execute(
    tx,
  )
  return new Map(rows.map((row) => [row.subjectId, row]))
}

const snapshotImageOf = (
  { id: imageId, width, height, hasAlpha, hash }: PrimaryImage,
  grantId: string | null,
): SnapshotImage => ({
  ...{ imageId, width, height, hasAlpha },
  thumbnailUrl: grantId === null ? '' : imageUrl({ grantId, imageId, variant: 'thumb', hash }),
})

/** A line with the subject's primary image in each empty subject node, and the group image in each empty group node. */
const withPrimaryImages = (line: CartPackage, { main, group, grantId }: AwaitedSubject): CartPackage => {
  const filledNodeIds = new Set(
    line.cartPackageItems
      .flatMap((item) => item.imageNodes)
      .filter((node) => node.subjectImageId !== null || node.groupImageId !== null)
      .map((node) => node.packageItemImageNodeId),
  )
  const choices = { subjectImageId: main?.id ?? null, groupImageId: group?.id ?? null }
  const imageNodes = imageChoicesByNode(line.snapshot.package, choices).filter(
    (node) => !filledNodeIds.has(node.packageItemImageNodeId),
  )
  const placedIds = new Set(imageNodes.map(({ subjectImageId, groupImageId }) => subjectImageId ?? groupImageId))
  const placedImages = [main, group].filter((image) => image !== null).filter(({ id }) => placedIds.has(id))
  const images = placedImages.map((image) => snapshotImageOf(image, grantId))
  const snapshot = withSnapshotImages(line.snapshot, { ...line.snapshot, images })
  const greenScreenBackgroundId = line.greenScreen?.id ?? null
  const filledLine = fillLine(
    { ...line, snapshot },
    { greenScreenBackgroundId, dataFields: line.dataFields, textNodes: [], imageNodes },
  )
  if (!filledLine) throw new Error(`line ${line.lineId} lacks a node of its package`)
  return filledLine
}

const nameOf = ({ snapshot }: CartPackage): string => {
  const { firstName, lastName } = snapshot.subject
  return `${firstName} ${lastName}`.trim() || 'No name'
}

/** Messages for the nodes of a line that stay empty. */
const emptyNodeMessages = (line: CartPackage, { groupCount }: Pick<AwaitedSubject, 'groupCount'>): string[] => {
  const groupMessage = groupCount > 1 ? 'several group images to choose from' : 'no group image yet'
  return findMissingFields(line, 'gallery')
    .filter(({ kind }) => kind === 'image')
    .map((node) => `${nameOf(line)}: ${isGroupNode(node) ? groupMessage : 'no image yet'}`)
}

/** Places the available images on one order; returns messages for the nodes that stay empty. */
const placeImagesOnOrder = async (
  tx: Transaction,
  deps: Deps,
  { key, user }: { key: OrderKey; user: User },
): Promise<string[]> => {
  const order = await readImageChoiceOrder(tx, key)
  if (!order) return []
  const subjects = await readSubjects(tx, key, deps.clock())
  const messages: string[] = []
  for (const choiceLine of order.lines.filter(({ needsImages }) => needsImages)) {
    const subject = subjects.get(choiceLine.line.subjectId)
    if (!subject) throw new Error(`line ${choiceLine.id} has a subject that does not exist`)
    const line = withPrimaryImages(choiceLine.line, subject)
    messages.push(...emptyNodeMessages(line, subject))
    if (isUnchanged(choiceLine.line, line)) continue
    await writeImageChoice(tx, deps, { key, choiceLine, line, order, by: { userId: user.id } })
  }
  return [...new Set(messages)]
}

type Order = { id: number; orderNumber: string }
type Answer = Infer<(typeof call)['answer']>

/** Locks the orders with these ids that await images and can still be edited. */
const lockAwaitingOrders = async (tx: Transaction, { studioId }: JobKey, ids: readonly number[]): Promise<Order[]> => {
  const { rows } = await sql<Order>`
    select o.id, o.order_number as "orderNumber" from orders o
     where o.studio_id = ${studioId} and ${hasOrderId(ids)} and ${awaitsImages} order by o.id for update of o`.execute(
    tx,
  )
  return rows
}

/** The number of orders that are locked at a time; it limits how long other writers wait. */
const batchSize = 20

/** Places each subject's primary image on the packages that await one, a few orders per transaction. */
export const placePrimaryImages = async (
  deps: Deps,
  { user, recordResponse, ...request }: PlacePrimaryImagesRequest,
): Promise<Answer> => {
  const { studioId } = request.job
  const { ids, after } = await nextSelectedOrders(deps.db, { ...request, isEligible: awaitsImages })
  let totals: Answer = { placed: 0, refused: [], after }
  for (let start = 0; start < ids.length; start += batchSize) {
    const previous = totals
    totals = await inTransaction(deps.db, async (tx) => {
      const orders = await lockAwaitingOrders(tx, request.job, ids.slice(start, start + batchSize))
      const refused: Answer['refused'] = []
      for (const { id: orderId, orderNumber } of orders) {
        const messages = await placeImagesOnOrder(tx, deps, { key: { studioId, orderId }, user })
        if (messages.length > 0) refused.push({ orderNumber, why: messages.join(', ') })
      }
      const placedCount = previous.placed + orders.length - refused.length
      const newTotals = { placed: placedCount, refused: [...previous.refused, ...refused], after }
      // Recorded with the last part: a retry after an interruption continues with the orders that still await images.
      if (start + batchSize >= ids.length) await recordResponse(tx, newTotals)
      return newTotals
    })
  }
  return totals
}
