import { sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { patchOrderImageChoice } from '#contract/customer/order-image-choice.ts'
import type { CartPackage, SnapshotImage } from '#domain/cart/cart.ts'
import { cartProblemMessages } from '#domain/cart/cart-rules.ts'
import { findMissingFields, type MissingField } from '#domain/cart/completeness.ts'
import { fillLine } from '#domain/cart/line-content.ts'
import { withSnapshotImages } from '#domain/cart/line-images.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { orderLockReason } from '#domain/orders/order-states.ts'
import type { JobSession } from '#server/access/grants/grants.ts'
import {
  backgroundGoneMessage,
  imageChoiceMessages,
  imageChoiceProblem,
  imageIdsOf,
  isBackgroundAllowed,
} from '#server/carts/store/image-choice-rules.ts'
import {
  type BackgroundRecord,
  backgroundRecords,
  type ImageRecord,
  idsIn,
  imageRecords,
  type SubjectRecord,
  snapshotBackground,
  snapshotImages,
  subjectRecords,
} from '#server/carts/store/subject-and-image-queries.ts'
import type { Transaction } from '#server/database/database.ts'
import { inTransaction } from '#server/database/in-transaction.ts'
import type { Deps } from '#server/deps.ts'
import { Problem, problem } from '#server/http/problem.ts'
import { hasFeature } from '#server/jobs/store/studio-feature.ts'
import { alreadyDownloadedMessage, replacesDownloaded } from '../store/create-download-links.ts'
import type { OrderKey } from '../store/order-key.ts'
import { readImageChoiceOrder } from './read-image-choice.ts'
import { updatedTexts } from './update-texts.ts'
import { type ImageChoiceResult, isUnchanged, writeImageChoice } from './write-image-choice.ts'

type ImageChoiceInput = Infer<(typeof patchOrderImageChoice)['body']>
type OrderLineRef = { visit: JobSession; key: OrderKey; lineId: number }

type ImageChoiceRecords = {
  people: SubjectRecord[]
  pictures: ImageRecord[]
  backgrounds: BackgroundRecord[]
  has_screen: boolean
}

const readRecords = async (
  tx: Transaction,
  {
    visit,
    line,
    input,
    now,
  }: { visit: JobSession; line: CartPackage & { subjectId: number }; input: ImageChoiceInput; now: Date },
): Promise<ImageChoiceRecords> => {
  const { job } = visit
  const pictures = (input.imageNodes ?? []).flatMap(imageIdsOf).map(({ id }) => id)
  const backgroundId = input.greenScreenBackgroundId ?? 0
  const { rows } = await sql<ImageChoiceRecords>`
    select ${subjectRecords(visit, now, sql`select * from ${idsIn([line.subjectId])} as w`)} as people,
           ${imageRecords(now, sql`select * from ${idsIn(pictures)} as w`)} as pictures,
           ${backgroundRecords(visit, now, sql`select * from ${idsIn([backgroundId])} as w`)} as backgrounds,
           exists (select from green_screens g where g.studio_id = j.studio_id and g.job_id = j.id and g.is_enabled
                      and g.id = ${backgroundId} and ${hasFeature('greenscreens')}) as has_screen
      from jobs j join studios s on s.id = j.studio_id
     where j.studio_id = ${job.studioId} and j.id = ${job.jobId}`.execute(tx)
  return rows[0] ?? { people: [], pictures: [], backgrounds: [], has_screen: false }
}

/** The images and background for a line with their snapshots, by the rules of cart lines; or a problem. */
const imagesToPlace = (
  line: CartPackage,
  input: ImageChoiceInput,
  { people, pictures, backgrounds, has_screen: hasBackground }: ImageChoiceRecords,
): { screen: number | null; images: SnapshotImage[] } | Problem<'refused' | 'grant-needed'> => {
  const before = line.greenScreen?.id ?? null
  const { imageNodes, greenScreenBackgroundId: backgroundId = before } = input
  // Texts may be edited by anyone with the order; images only by a session that may see them.
  if (!imageNodes && backgroundId === before) return { screen: backgroundId, images: [] }
  const [subject] = people
  if (!subject || subject.grantId === null) return problem('grant-needed')
  if (!isBackgroundAllowed(backgroundId, { before, isOffered: hasBackground }))
    return problem('refused', backgroundGoneMessage)
  const imageById = (id: number) => pictures.find((one) => one.id === id)
  const imageProblem = imageChoiceProblem(imageNodes ?? [], {
    linePackage: line.snapshot.package,
    subject,
    imageById,
  })
  if (imageProblem) return problem('refused', imageChoiceMessages[imageProblem])
  return {
    screen: backgroundId,
    images: [...snapshotImages(subject, pictures), ...backgrounds.flatMap(snapshotBackground)],
  }
}

/** A line with new images and texts, by the rules of cart lines; or a problem. */
const editedLine = (
  line: CartPackage & { subjectId: number },
  input: ImageChoiceInput,
  { records, orderMethod }: { records: ImageChoiceRecords; orderMethod: OrderMethod },
): CartPackage | Problem<'refused' | 'grant-needed'> => {
  const { imageNodes = [], textNodes: sentTexts = [] } = input
  const textNodes = updatedTexts(line, sentTexts)
  if (textNodes instanceof Problem) return textNodes
  const placement = imagesToPlace(line, input, records)
  if (placement instanceof Problem) return placement
  const snapshot = withSnapshotImages(line.snapshot, { ...line.snapshot, images: placement.images })
  const content = { greenScreenBackgroundId: placement.screen, dataFields: line.dataFields, textNodes, imageNodes }
  const filled = fillLine({ ...line, snapshot }, content)
  if (!filled) return problem('refused', cartProblemMessages['node-unknown'])
  const editedNodes = new Set([...textNodes.map(nodeOfText), ...imageNodes.map(nodeOfImage)])
  const emptiedFields = findMissingFields(filled, orderMethod).filter((one) =>
    editedNodes.has(`${one.kind} ${one.nodeId}`),
  )
  return emptiedFields.length === 0 ? filled : problem('refused', missingSentence(emptiedFields))
}

const nodeOfText = (text: { packageItemTextNodeId: number }): string => `text ${text.packageItemTextNodeId}`
const nodeOfImage = (image: { packageItemImageNodeId: number }): string => `image ${image.packageItemImageNodeId}`

/** A paid order was complete and must stay so. */
const missingSentence = (missing: readonly MissingField[]): string =>
  `Something is missing: ${missing.map(({ name }) => name).join(', ')}`

/**
 * Saves images, crops and texts of a package, unless the lab has the order. Idempotent. If the line changed since the
 * client read it, returns a conflict and overwrites nothing.
 */
export const saveImageChoice = (
  deps: Deps,
  { visit, key, lineId }: OrderLineRef,
  input: ImageChoiceInput,
): Promise<ImageChoiceResult | Problem<'not-found' | 'refused' | 'grant-needed' | 'conflict'>> =>
  inTransaction(deps.db, async (tx) => {
    const { studioId, orderId } = key
    const now = deps.clock()
    // Locks the order first, so that it cannot go to the lab meanwhile.
    await sql`select from orders where studio_id = ${studioId} and id = ${orderId} for update`.execute(tx)
    const order = await readImageChoiceOrder(tx, key)
    const choiceLine = order?.lines.find(({ id }) => id === lineId)
    if (!order || !choiceLine) return problem('not-found')
    const lockedMessage = orderLockReason(order)
    if (lockedMessage) return problem('refused', lockedMessage)
    const records = await readRecords(tx, { visit, line: choiceLine.line, input, now })
    const line = editedLine(choiceLine.line, input, { records, orderMethod: order.orderMethod })
    if (line instanceof Problem) return line
    if (isUnchanged(choiceLine.line, line)) {
      const { needsPoses, version } = choiceLine
      return { needsPoses, awaitsPoses: order.lines.some((one) => one.needsPoses), version }
    }
    if (input.version !== undefined && input.version !== choiceLine.version) return problem('conflict')
    const replacement = { lineId, items: line.cartPackageItems, greenScreenId: line.greenScreen?.id ?? null }
    if (await replacesDownloaded(tx, key, replacement)) return problem('refused', alreadyDownloadedMessage)
    return await writeImageChoice(tx, deps, {
      key,
      by: { sessionId: visit.session.id },
      choiceLine,
      line,
      order,
    })
  })
