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

const readFacts = async (
  tx: Transaction,
  {
    visit,
    line,
    wanted,
    now,
  }: { visit: JobSession; line: CartPackage & { subjectId: number }; wanted: ImageChoiceInput; now: Date },
): Promise<ImageChoiceRecords> => {
  const { job } = visit
  const pictures = (wanted.imageNodes ?? []).flatMap(imageIdsOf).map(({ id }) => id)
  const screen = wanted.greenScreenBackgroundId ?? 0
  const { rows } = await sql<ImageChoiceRecords>`
    select ${subjectRecords(visit, now, sql`select * from ${idsIn([line.subjectId])} as w`)} as people,
           ${imageRecords(now, sql`select * from ${idsIn(pictures)} as w`)} as pictures,
           ${backgroundRecords(visit, now, sql`select * from ${idsIn([screen])} as w`)} as backgrounds,
           exists (select from green_screens g where g.studio_id = j.studio_id and g.job_id = j.id and g.is_enabled
                      and g.id = ${screen} and ${hasFeature('greenscreens')}) as has_screen
      from jobs j join studios s on s.id = j.studio_id
     where j.studio_id = ${job.studioId} and j.id = ${job.jobId}`.execute(tx)
  return rows[0] ?? { people: [], pictures: [], backgrounds: [], has_screen: false }
}

/** The pictures a line is given and what they bring along, by the rules of a cart's line; or why not. */
const picturesToPut = (
  line: CartPackage,
  wanted: ImageChoiceInput,
  { people, pictures, backgrounds, has_screen: hasScreen }: ImageChoiceRecords,
): { screen: number | null; images: SnapshotImage[] } | Problem<'refused' | 'grant-needed'> => {
  const before = line.greenScreen?.id ?? null
  const { imageNodes, greenScreenBackgroundId: screen = before } = wanted
  // Texts are put right by whoever holds the order; its pictures only by whom they may be shown to.
  if (!imageNodes && screen === before) return { screen, images: [] }
  const [person] = people
  if (!person || person.grantId === null) return problem('grant-needed')
  if (!isBackgroundAllowed(screen, { before, isOffered: hasScreen })) return problem('refused', backgroundGoneMessage)
  const imageById = (id: number) => pictures.find((one) => one.id === id)
  const wrong = imageChoiceProblem(imageNodes ?? [], { linePackage: line.snapshot.package, subject: person, imageById })
  if (wrong) return problem('refused', imageChoiceMessages[wrong])
  return { screen, images: [...snapshotImages(person, pictures), ...backgrounds.flatMap(snapshotBackground)] }
}

/** A line with pictures and texts put on it, by the rules of a cart's line; or why not. */
const posed = (
  line: CartPackage & { subjectId: number },
  wanted: ImageChoiceInput,
  { facts, orderMethod }: { facts: ImageChoiceRecords; orderMethod: OrderMethod },
): CartPackage | Problem<'refused' | 'grant-needed'> => {
  const { imageNodes = [], textNodes: sent = [] } = wanted
  const textNodes = updatedTexts(line, sent)
  if (textNodes instanceof Problem) return textNodes
  const put = picturesToPut(line, wanted, facts)
  if (put instanceof Problem) return put
  const snapshot = withSnapshotImages(line.snapshot, { ...line.snapshot, images: put.images })
  const content = { greenScreenBackgroundId: put.screen, dataFields: line.dataFields, textNodes, imageNodes }
  const filled = fillLine({ ...line, snapshot }, content)
  if (!filled) return problem('refused', cartProblemMessages['node-unknown'])
  const named = new Set([...textNodes.map(nodeOfText), ...imageNodes.map(nodeOfImage)])
  const emptied = findMissingFields(filled, orderMethod).filter((one) => named.has(`${one.kind} ${one.nodeId}`))
  return emptied.length === 0 ? filled : problem('refused', missingSentence(emptied))
}

const nodeOfText = (text: { packageItemTextNodeId: number }): string => `text ${text.packageItemTextNodeId}`
const nodeOfImage = (image: { packageItemImageNodeId: number }): string => `image ${image.packageItemImageNodeId}`

/** An order was complete when it was paid for, and stays so. */
const missingSentence = (missing: readonly MissingField[]): string =>
  `Something is missing: ${missing.map(({ name }) => name).join(', ')}`

/**
 * Puts pictures, crops and texts of a package right, for as long as the lab does not have the order. Told again, the line is as it is;
 * changed by somebody else since it was seen, it is a conflict, and nothing is written over.
 */
export const saveImageChoice = (
  deps: Deps,
  { visit, key, lineId }: OrderLineRef,
  wanted: ImageChoiceInput,
): Promise<ImageChoiceResult | Problem<'not-found' | 'refused' | 'grant-needed' | 'conflict'>> =>
  inTransaction(deps.db, async (tx) => {
    const { studioId, orderId } = key
    const now = deps.clock()
    // The order first: whoever hands it to the lab meanwhile waits, or we see that it went.
    await sql`select from orders where studio_id = ${studioId} and id = ${orderId} for update`.execute(tx)
    const order = await readImageChoiceOrder(tx, key)
    const found = order?.lines.find(({ id }) => id === lineId)
    if (!order || !found) return problem('not-found')
    const fixed = orderLockReason(order)
    if (fixed) return problem('refused', fixed)
    const facts = await readFacts(tx, { visit, line: found.line, wanted, now })
    const line = posed(found.line, wanted, { facts, orderMethod: order.orderMethod })
    if (line instanceof Problem) return line
    if (isUnchanged(found.line, line)) {
      const { needsPoses, version } = found
      return { needsPoses, awaitsPoses: order.lines.some((one) => one.needsPoses), version }
    }
    if (wanted.version !== undefined && wanted.version !== found.version) return problem('conflict')
    const exchange = { lineId, items: line.cartPackageItems, greenScreenId: line.greenScreen?.id ?? null }
    if (await replacesDownloaded(tx, key, exchange)) return problem('refused', alreadyDownloadedMessage)
    return await writeImageChoice(tx, deps, { key, by: { sessionId: visit.session.id }, found, line, order })
  })
