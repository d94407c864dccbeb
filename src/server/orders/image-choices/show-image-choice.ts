import { sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { OrderImageChoice } from '#contract/customer/order-image-choice.ts'
import { personalizationChoiceOf } from '#domain/cart/order-services.ts'
import { maskNodeText } from '#domain/catalogue/mask.ts'
import { orderLockReason } from '#domain/orders/order-states.ts'
import { grantAccess, type JobSession } from '#server/access/grants/grants.ts'
import { idsIn } from '#server/carts/store/subject-and-image-queries.ts'
import type { Db } from '#server/database/database.ts'
import { inTransaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { isCurrent } from '#server/images/store/image-conditions.ts'
import { listSubjectImages } from '#server/images/store/list-subject-images.ts'
import { galleryEnd } from '#server/jobs/store/order-availability.ts'
import type { OrderKey } from '../store/sold-lines.ts'
import {
  type ImageChoiceLine,
  type ImageChoiceOrder,
  type PersonalizationLine,
  readImageChoiceOrder,
} from './read-image-choice.ts'

/** Whether images of a subject are visible: `hasImages` if it has published images, `isOver` if its gallery has ended or its job is archived. */
type SubjectImageStatus = { id: number; hasImages: boolean; isOver: boolean }

/** The subjects of lines, except those that the studio hid, and those whose grant it revoked for this session. */
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
                      and ${isCurrent} and i.state = 'ready' and i.published_at <= ${now}::timestamptz) as "hasImages"
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

/** A line with masked texts, because a session that found the order by number and email may not read the originals. */
const withMaskedTexts = (line: ImageChoiceLine['line']): ImageChoiceLine['line'] => {
  const nodeById = new Map(line.snapshot.package.items.flatMap((item) => item.textNodes).map((node) => [node.id, node]))
  const cartPackageItems = line.cartPackageItems.map((item) => ({
    ...item,
    textNodes: item.textNodes.map((text) => {
      const node = nodeById.get(text.packageItemTextNodeId)
      return node ? { ...text, value: maskNodeText(node, text.value) } : text
    }),
  }))
  return { ...line, cartPackageItems }
}

/** A line without its images, for a session that may not see them, because their URLs belong to the grant of another session. */
const withoutImages = ({ line, ...choiceLine }: ImageChoiceLine): ImageChoiceLine => {
  const { snapshot, cartPackageItems } = line
  const subject = { ...snapshot.subject, imageThumbnailUrl: null }
  const items = cartPackageItems.map((item) => ({
    ...item,
    imageNodes: item.imageNodes.map((node) => ({ ...node, imageThumbnailUrl: null })),
  }))
  return { ...choiceLine, line: { ...line, cartPackageItems: items, snapshot: { ...snapshot, subject, images: [] } } }
}

const personalizationTextOf = ({ id, version, name, subject, entry }: PersonalizationLine) => ({
  id,
  version,
  name,
  subjectName: `${subject?.firstName ?? ''} ${subject?.lastName ?? ''}`.trim(),
  choice: personalizationChoiceOf(entry),
})

const choiceStateOf = (
  { orderMethod, ...order }: ImageChoiceOrder,
  { hasImages }: { hasImages: boolean },
): 'waiting' | 'open' | 'closed' => {
  if (orderLockReason(order) !== null) return 'closed'
  return hasImages || orderMethod === 'gallery' ? 'open' : 'waiting'
}

/**
 * Reads what a customer can edit on the packages of an order. A session that placed or found a prepaid order gets
 * grants for the subjects on it once their images are visible, because it paid for them. For a gallery order, the
 * session gets only the images that it may already see.
 */
export const showImageChoice = async (
  deps: Deps,
  { jobSession, key, replacements }: { jobSession: JobSession; key: OrderKey; replacements: boolean },
): Promise<Infer<typeof OrderImageChoice> | undefined> => {
  const order = await readImageChoiceOrder(deps.db, key)
  if (!order) return undefined
  const now = deps.clock()
  const subjects = await readVisibleSubjects(deps.db, jobSession, order.lines, now)
  const photographedIds = subjects.filter(({ hasImages }) => hasImages).map(({ id }) => id)
  const awaitedIds = new Set(subjects.filter(({ isOver }) => !isOver).map(({ id }) => id))
  const isPrepaid = order.orderMethod === 'prepay'
  await inTransaction(deps.db, async (tx) => {
    if (!isPrepaid) return
    for (const subjectId of photographedIds) await grantAccess(tx, deps, jobSession, { kind: 'subject', subjectId })
  })
  const imagesBySubject = new Map<number, Awaited<ReturnType<typeof listSubjectImages>>>()
  for (const subjectId of photographedIds)
    imagesBySubject.set(subjectId, await listSubjectImages(deps.db, jobSession, { subjectId, now, replacements }))
  const { orderNumber, jobName, organizationType, lines } = order
  const visibleLines = lines.map((choiceLine) => {
    const { subjectId } = choiceLine.line
    const result = imagesBySubject.get(subjectId) ?? []
    const images = typeof result === 'string' ? [] : result
    const isWithheld = images.length === 0 && !(isPrepaid && awaitedIds.has(subjectId))
    const visible = images.length > 0 || isPrepaid ? choiceLine : withoutImages(choiceLine)
    return { ...visible, line: withMaskedTexts(visible.line), images, withheld: isWithheld }
  })
  const state = choiceStateOf(order, { hasImages: visibleLines.some((line) => line.images.length > 0) })
  const lockedMessage = orderLockReason(order)
  return {
    orderNumber,
    jobName,
    organizationType,
    state,
    why: lockedMessage,
    lines: visibleLines,
    printedWords: order.personalizations.map(personalizationTextOf),
  }
}
