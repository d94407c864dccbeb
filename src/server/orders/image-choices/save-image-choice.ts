import { sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { patchOrderImageChoice } from '#contract/customer/order-image-choice.ts'
import type { CartPackage, SnapshotImage } from '#domain/cart/cart.ts'
import { cartProblemMessages } from '#domain/cart/cart-rules.ts'
import { findMissingFields, type MissingField } from '#domain/cart/completeness.ts'
import { fillLine, withSnapshotImages } from '#domain/cart/line-content.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { orderLockReason } from '#domain/orders/order-states.ts'
import type { JobSession } from '#server/access/grants/grants.ts'
import {
  backgroundGoneMessage,
  imageChoiceMessages,
  imageChoiceProblem,
  isBackgroundAllowed,
  usedImageIds,
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
import { inTransaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { Problem, problem } from '#server/http/problem.ts'
import { hasFeature } from '#server/jobs/store/job-services.ts'
import { alreadyDownloadedMessage, replacesDownloaded } from '../store/create-download-links.ts'
import { lockOrder } from '../store/move-order.ts'
import type { OrderKey } from '../store/sold-lines.ts'
import { readImageChoiceOrder } from './read-image-choice.ts'
import { updatedTexts } from './update-texts.ts'
import { type ImageChoiceResult, isUnchanged, writeImageChoice } from './write-image-choice.ts'

type ImageChoiceInput = Infer<(typeof patchOrderImageChoice)['body']>
type OrderLineRef = { jobSession: JobSession; key: OrderKey; lineId: number }

type ImageChoiceRecords = {
  subjects: SubjectRecord[]
  images: ImageRecord[]
  backgrounds: BackgroundRecord[]
  has_screen: boolean
}

const readChoiceRecords = async (
  tx: Transaction,
  {
    jobSession,
    line,
    input,
    now,
  }: { jobSession: JobSession; line: CartPackage & { subjectId: number }; input: ImageChoiceInput; now: Date },
): Promise<ImageChoiceRecords> => {
  const { job } = jobSession
  const imageIds = usedImageIds(input.imageNodes ?? [])
  const backgroundId = input.greenScreenBackgroundId ?? 0
  const { rows } = await sql<ImageChoiceRecords>`
    select ${subjectRecords(jobSession, now, sql`select * from ${idsIn([line.subjectId])} as w`)} as subjects,
           ${imageRecords(now, sql`select * from ${idsIn(imageIds)} as w`)} as images,
           ${backgroundRecords(jobSession, now, sql`select * from ${idsIn([backgroundId])} as w`)} as backgrounds,
           exists (select from green_screens g where g.studio_id = j.studio_id and g.job_id = j.id and g.is_enabled
                      and g.id = ${backgroundId} and ${hasFeature('greenscreens')}) as has_screen
      from jobs j join studios s on s.id = j.studio_id
     where j.studio_id = ${job.studioId} and j.id = ${job.jobId}`.execute(tx)
  return rows[0] ?? { subjects: [], images: [], backgrounds: [], has_screen: false }
}

/** Checks the images and the background for a line by the rules of cart lines; returns them with their snapshots, or a problem. */
const checkImages = (
  line: CartPackage,
  input: ImageChoiceInput,
  { subjects, images, backgrounds, has_screen: isOffered }: ImageChoiceRecords,
): { backgroundId: number | null; images: SnapshotImage[] } | Problem<'refused' | 'grant-needed'> => {
  const currentBackgroundId = line.greenScreen?.id ?? null
  const { imageNodes, greenScreenBackgroundId: backgroundId = currentBackgroundId } = input
  // Texts may be edited by anyone with the order; images only by a session that may see them.
  if (!imageNodes && backgroundId === currentBackgroundId) return { backgroundId, images: [] }
  const [subject] = subjects
  if (!subject || subject.grantId === null) return problem('grant-needed')
  if (!isBackgroundAllowed(backgroundId, { before: currentBackgroundId, isOffered }))
    return problem('refused', backgroundGoneMessage)
  const imageById = (id: number) => images.find((image) => image.id === id)
  const imageProblem = imageChoiceProblem(imageNodes ?? [], {
    linePackage: line.snapshot.package,
    subject,
    imageById,
  })
  if (imageProblem) return problem('refused', imageChoiceMessages[imageProblem])
  return {
    backgroundId,
    images: [...snapshotImages(subject, images), ...backgrounds.flatMap(snapshotBackground)],
  }
}

/** Edits the images and texts of a line by the rules of cart lines; returns the new line, or a problem. */
const editLine = (
  line: CartPackage & { subjectId: number },
  input: ImageChoiceInput,
  { records, orderMethod }: { records: ImageChoiceRecords; orderMethod: OrderMethod },
): CartPackage | Problem<'refused' | 'grant-needed'> => {
  const { imageNodes = [], textNodes: inputTexts = [] } = input
  const textNodes = updatedTexts(line, inputTexts)
  if (textNodes instanceof Problem) return textNodes
  const placement = checkImages(line, input, records)
  if (placement instanceof Problem) return placement
  const snapshot = withSnapshotImages(line.snapshot, { ...line.snapshot, images: placement.images })
  const content = {
    greenScreenBackgroundId: placement.backgroundId,
    dataFields: line.dataFields,
    textNodes,
    imageNodes,
  }
  const filledLine = fillLine({ ...line, snapshot }, content)
  if (!filledLine) return problem('refused', cartProblemMessages['node-unknown'])
  const editedNodes = new Set([...textNodes.map(nodeOfText), ...imageNodes.map(nodeOfImage)])
  const emptiedFields = findMissingFields(filledLine, orderMethod).filter((field) =>
    editedNodes.has(`${field.kind} ${field.nodeId}`),
  )
  return emptiedFields.length === 0 ? filledLine : problem('refused', missingFieldsMessage(emptiedFields))
}

const nodeOfText = (text: { packageItemTextNodeId: number }): string => `text ${text.packageItemTextNodeId}`
const nodeOfImage = (image: { packageItemImageNodeId: number }): string => `image ${image.packageItemImageNodeId}`

/** The message for an edit that leaves fields empty: a paid order was complete and must stay complete. */
const missingFieldsMessage = (missing: readonly MissingField[]): string =>
  `Something is missing: ${missing.map(({ name }) => name).join(', ')}`

/**
 * Saves images, crops and texts of a package, unless the lab has the order. Idempotent. If the line changed since the
 * client read it, returns a conflict and overwrites nothing.
 */
export const saveImageChoice = (
  deps: Deps,
  { jobSession, key, lineId }: OrderLineRef,
  input: ImageChoiceInput,
): Promise<ImageChoiceResult | Problem<'not-found' | 'refused' | 'grant-needed' | 'conflict'>> =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock()
    // Locks the order first, so that it cannot go to the lab meanwhile.
    await lockOrder(tx, key)
    const order = await readImageChoiceOrder(tx, key)
    const choiceLine = order?.lines.find(({ id }) => id === lineId)
    if (!order || !choiceLine) return problem('not-found')
    const lockedMessage = orderLockReason(order)
    if (lockedMessage) return problem('refused', lockedMessage)
    const records = await readChoiceRecords(tx, { jobSession, line: choiceLine.line, input, now })
    const line = editLine(choiceLine.line, input, { records, orderMethod: order.orderMethod })
    if (line instanceof Problem) return line
    if (isUnchanged(choiceLine.line, line)) {
      const { needsImages, version } = choiceLine
      return { needsImages, awaitsImages: order.lines.some((orderLine) => orderLine.needsImages), version }
    }
    if (input.version !== undefined && input.version !== choiceLine.version) return problem('conflict')
    const replacement = { lineId, items: line.cartPackageItems, greenScreenId: line.greenScreen?.id ?? null }
    if (await replacesDownloaded(tx, key, replacement)) return problem('refused', alreadyDownloadedMessage)
    return await writeImageChoice(tx, deps, {
      key,
      by: { sessionId: jobSession.session.id },
      choiceLine,
      line,
      order,
    })
  })
