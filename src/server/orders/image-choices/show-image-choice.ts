import { sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { OrderImageChoice } from '#contract/customer/order-image-choice.ts'
import { personalizationChoiceOf } from '#domain/cart/order-services.ts'
import { maskNodeText } from '#domain/catalogue/mask.ts'
import { orderLockReason } from '#domain/orders/order-states.ts'
import { grantAccess, type JobSession } from '#server/access/grants/grants.ts'
import { idsIn } from '#server/carts/store/subject-and-image-queries.ts'
import type { Db } from '#server/database/database.ts'
import { inTransaction } from '#server/database/in-transaction.ts'
import type { Deps } from '#server/deps.ts'
import { isCurrent } from '#server/images/store/current-images.ts'
import { listSubjectImages } from '#server/images/store/list-subject-images.ts'
import { galleryEnd } from '#server/jobs/store/order-availability.ts'
import type { OrderKey } from '../store/order-key.ts'
import {
  type ImageChoiceLine,
  type ImageChoiceOrder,
  type PersonalizationLine,
  readImageChoiceOrder,
} from './read-image-choice.ts'

/** Whether images of a subject are visible: `isOut` if it has any now, `isOver` if the gallery has ended. */
type SubjectImageStatus = { id: number; isOut: boolean; isOver: boolean }

/** The subjects of lines, except those hidden by the studio or revoked from this session. */
const readVisibleSubjects = async (
  db: Db,
  { session, job }: JobSession,
  lines: readonly ImageChoiceLine[],
  now: Date,
): Promise<SubjectImageStatus[]> => {
  const { rows } = await sql<SubjectImageStatus>`
    select u.id, j.archived_at is not null or coalesce(${galleryEnd} <= ${now}::timestamptz, false) as "isOver",
           exists (select from image_lookups i
                    where i.studio_id = u.studio_id and i.subject_id = u.id and i.kind = 'hosted-individual'
                      and ${isCurrent} and i.state = 'ready' and i.published_at <= ${now}::timestamptz) as "isOut"
      from subjects u
      join jobs j on j.studio_id = u.studio_id and j.id = u.job_id
      join studios s on s.id = u.studio_id
     where u.studio_id = ${job.studioId} and u.id in ${idsIn(lines.map(({ line }) => line.subjectId))}
       and u.state = 'listed' and u.hidden_at is null
       and coalesce((select g.revoked_at is null from session_grants g
                      where g.studio_id = u.studio_id and g.session_id = ${session.id} and g.kind = 'subject'
                        and g.subject_id = u.id order by g.id desc limit 1), true)`.execute(db)
  return rows
}

/** A line with masked texts: a session that found the order by number and email may not read the originals. */
const masked = (line: ImageChoiceLine['line']): ImageChoiceLine['line'] => {
  const nodes = new Map(line.snapshot.package.items.flatMap((item) => item.textNodes).map((node) => [node.id, node]))
  const cartPackageItems = line.cartPackageItems.map((item) => ({
    ...item,
    textNodes: item.textNodes.map((text) => {
      const node = nodes.get(text.packageItemTextNodeId)
      return node ? { ...text, value: maskNodeText(node, text.value) } : text
    }),
  }))
  return { ...line, cartPackageItems }
}

/** A line without its images, for a session that may not see them: their URLs belong to another session's grant. */
const withoutImages = ({ line, ...one }: ImageChoiceLine): ImageChoiceLine => {
  const { snapshot, cartPackageItems } = line
  const subject = { ...snapshot.subject, imageThumbnailUrl: null }
  const items = cartPackageItems.map((item) => ({
    ...item,
    imageNodes: item.imageNodes.map((node) => ({ ...node, imageThumbnailUrl: null })),
  }))
  return { ...one, line: { ...line, cartPackageItems: items, snapshot: { ...snapshot, subject, images: [] } } }
}

const printedTextOf = ({ id, version, name, subject, entry }: PersonalizationLine) => ({
  id,
  version,
  name,
  personName: `${subject?.firstName ?? ''} ${subject?.lastName ?? ''}`.trim(),
  choice: personalizationChoiceOf(entry),
})

const stateOf = (
  { orderMethod, ...order }: ImageChoiceOrder,
  { isOut }: { isOut: boolean },
): 'waiting' | 'open' | 'closed' => {
  if (orderLockReason(order) !== null) return 'closed'
  return isOut || orderMethod === 'gallery' ? 'open' : 'waiting'
}

/**
 * What a customer can edit on an order's packages. A session that placed or found a prepaid order gets grants for the
 * subjects on it once their images are visible, because it paid for them. For a gallery order it shows the images that
 * the session may see.
 */
export const showImageChoice = async (
  deps: Deps,
  { visit, key, replacements }: { visit: JobSession; key: OrderKey; replacements: boolean },
): Promise<Infer<typeof OrderImageChoice> | undefined> => {
  const order = await readImageChoiceOrder(deps.db, key)
  if (!order) return undefined
  const now = deps.clock()
  const subjects = await readVisibleSubjects(deps.db, visit, order.lines, now)
  const photographedIds = subjects.filter(({ isOut }) => isOut).map(({ id }) => id)
  const awaitedIds = new Set(subjects.filter(({ isOver }) => !isOver).map(({ id }) => id))
  const isPrepaid = order.orderMethod === 'prepay'
  await inTransaction(deps.db, async (tx) => {
    if (!isPrepaid) return
    for (const subjectId of photographedIds) await grantAccess(tx, deps, visit, { kind: 'subject', subjectId })
  })
  const images = new Map<number, Awaited<ReturnType<typeof listSubjectImages>>>()
  for (const subjectId of photographedIds)
    images.set(subjectId, await listSubjectImages(deps.db, visit, { subjectId, now, replacements }))
  const { orderNumber, jobName, organizationType, lines } = order
  const shownLines = lines.map((one) => {
    const { subjectId } = one.line
    const listed = images.get(subjectId) ?? []
    const ownImages = typeof listed === 'string' ? [] : listed
    const isWithheld = ownImages.length === 0 && !(isPrepaid && awaitedIds.has(subjectId))
    const visible = ownImages.length > 0 || isPrepaid ? one : withoutImages(one)
    return { ...visible, line: masked(visible.line), images: ownImages, withheld: isWithheld }
  })
  const state = stateOf(order, { isOut: shownLines.some((one) => one.images.length > 0) })
  const lockedMessage = orderLockReason(order)
  return {
    orderNumber,
    jobName,
    organizationType,
    state,
    why: lockedMessage,
    lines: shownLines,
    printedWords: order.words.map(printedTextOf),
  }
}
