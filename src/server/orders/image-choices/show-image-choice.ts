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

/** A person as their pictures may be shown: `isOut` where they have some by now, `isOver` where the gallery shows none any more. */
type SubjectImageStatus = { id: number; isOut: boolean; isOver: boolean }

/** The people of lines, without whom the studio hides, or withdrew from this visit. */
const shownPeople = async (
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

/** A line with its texts as the order shows them; whoever found the order by number and e-mail may not read what stands behind. */
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

/** A line without its pictures, for whom may not see them: what they are shown from is another visit's. */
const unseen = ({ line, ...one }: ImageChoiceLine): ImageChoiceLine => {
  const { snapshot, cartPackageItems } = line
  const subject = { ...snapshot.subject, imageThumbnailUrl: null }
  const items = cartPackageItems.map((item) => ({
    ...item,
    imageNodes: item.imageNodes.map((node) => ({ ...node, imageThumbnailUrl: null })),
  }))
  return { ...one, line: { ...line, cartPackageItems: items, snapshot: { ...snapshot, subject, images: [] } } }
}

const wordsOf = ({ id, version, name, subject, entry }: PersonalizationLine) => ({
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
 * What there is to put right on an order's packages. Whoever placed or found an order from before the picture day may see the pictures
 * of the people on it once they are out: that is what they paid for. An order from a gallery shows those that the visit may see.
 */
export const showImageChoice = async (
  deps: Deps,
  { visit, key, replacements }: { visit: JobSession; key: OrderKey; replacements: boolean },
): Promise<Infer<typeof OrderImageChoice> | undefined> => {
  const order = await readImageChoiceOrder(deps.db, key)
  if (!order) return undefined
  const now = deps.clock()
  const people = await shownPeople(deps.db, visit, order.lines, now)
  const photographed = people.filter(({ isOut }) => isOut).map(({ id }) => id)
  const awaited = new Set(people.filter(({ isOver }) => !isOver).map(({ id }) => id))
  const isPrepaid = order.orderMethod === 'prepay'
  await inTransaction(deps.db, async (tx) => {
    if (!isPrepaid) return
    for (const subjectId of photographed) await grantAccess(tx, deps, visit, { kind: 'subject', subjectId })
  })
  const images = new Map<number, Awaited<ReturnType<typeof listSubjectImages>>>()
  for (const subjectId of photographed)
    images.set(subjectId, await listSubjectImages(deps.db, visit, { subjectId, now, replacements }))
  const { orderNumber, jobName, organizationType, lines } = order
  const shown = lines.map((one) => {
    const { subjectId } = one.line
    const found = images.get(subjectId) ?? []
    const own = typeof found === 'string' ? [] : found
    const isWithheld = own.length === 0 && !(isPrepaid && awaited.has(subjectId))
    const seen = own.length > 0 || isPrepaid ? one : unseen(one)
    return { ...seen, line: masked(seen.line), images: own, withheld: isWithheld }
  })
  const state = stateOf(order, { isOut: shown.some((one) => one.images.length > 0) })
  const why = orderLockReason(order)
  return { orderNumber, jobName, organizationType, state, why, lines: shown, printedWords: order.words.map(wordsOf) }
}
