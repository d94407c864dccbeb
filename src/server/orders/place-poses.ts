import { sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { patchOrderPoses } from '../../contract/order-poses.ts'
import type { CartPackage } from '../../domain/cart.ts'
import { cartProblemSentences } from '../../domain/cart-rules.ts'
import { whatIsMissing } from '../../domain/completeness.ts'
import { fill } from '../../domain/line-content.ts'
import { withPicturesOf } from '../../domain/line-pictures.ts'
import { atTheLab, isTheCustomers } from '../../domain/order-states.ts'
import { hasFeature } from '../admission/features.ts'
import type { Visit } from '../admission/grants.ts'
import {
  type BackgroundFact,
  backgroundFact,
  backgroundFacts,
  idsIn,
  imageFacts,
  type PersonFact,
  type PictureFact,
  peopleFacts,
  pictureFacts,
} from '../cart-store/people-and-pictures.ts'
import {
  backgroundGone,
  mayHaveBackground,
  pictureIds,
  pictureSentences,
  wrongPicture,
} from '../cart-store/picture-rules.ts'
import type { Transaction } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { Deps } from '../deps.ts'
import { type Problem, problem } from '../http/problem.ts'
import { downloadedAlready, exchangesDownloaded, keepDownloads } from '../order-store/keep-downloads.ts'
import type { OrderKey } from '../order-store/order-key.ts'
import { readPosingOrder } from './posing.ts'

type Placed = Infer<(typeof patchOrderPoses)['answer']>
type Wanted = Infer<(typeof patchOrderPoses)['body']>
type Whose = { visit: Visit; key: OrderKey; lineId: number }

type Facts = { people: PersonFact[]; pictures: PictureFact[]; backgrounds: BackgroundFact[]; has_screen: boolean }

const readFacts = async (
  tx: Transaction,
  { visit, line, wanted, now }: { visit: Visit; line: CartPackage & { subjectId: number }; wanted: Wanted; now: Date },
): Promise<Facts> => {
  const { job } = visit
  const pictures = (wanted.imageNodes ?? []).flatMap(pictureIds).map(({ id }) => id)
  const screen = wanted.greenScreenBackgroundId ?? 0
  const { rows } = await sql<Facts>`
    select ${peopleFacts(visit, now, sql`select * from ${idsIn([line.subjectId])} as w`)} as people,
           ${pictureFacts(now, sql`select * from ${idsIn(pictures)} as w`)} as pictures,
           ${backgroundFacts(visit, now, sql`select * from ${idsIn([screen])} as w`)} as backgrounds,
           exists (select from green_screens g where g.studio_id = j.studio_id and g.job_id = j.id and g.is_enabled
                      and g.id = ${screen} and ${hasFeature('greenscreens')}) as has_screen
      from jobs j join studios s on s.id = j.studio_id
     where j.studio_id = ${job.studioId} and j.id = ${job.jobId}`.execute(tx)
  return rows[0] ?? { people: [], pictures: [], backgrounds: [], has_screen: false }
}

/** A line with pictures placed on it, by the rules of a cart's line; or why not. */
const posed = (
  line: CartPackage & { subjectId: number },
  wanted: Wanted,
  { people, pictures, backgrounds, has_screen: hasScreen }: Facts,
): CartPackage | Problem<'refused' | 'grant-needed'> => {
  const [person] = people
  if (!person || person.grantId === null) return problem('grant-needed')
  const before = line.greenScreen?.id ?? null
  const { imageNodes = [], greenScreenBackgroundId: screen = before } = wanted
  if (!mayHaveBackground(screen, { before, isOffered: hasScreen })) return problem('refused', backgroundGone)
  const picture = (id: number) => pictures.find((one) => one.id === id)
  const wrong = wrongPicture(imageNodes, { made: line.snapshot.package, person, picture })
  if (wrong) return problem('refused', pictureSentences[wrong])
  const images = [...imageFacts(person, pictures), ...backgrounds.flatMap(backgroundFact)]
  const snapshot = withPicturesOf(line.snapshot, { ...line.snapshot, images })
  const content = { greenScreenBackgroundId: screen, dataFields: line.dataFields, textNodes: [], imageNodes }
  return fill({ ...line, snapshot }, content) ?? problem('refused', cartProblemSentences['node-unknown'])
}

// An order before the picture day is complete without pictures; from here on it is not.
const needsPoses = (line: CartPackage): boolean => whatIsMissing(line, 'gallery').some(({ kind }) => kind === 'image')

const writeLine = async (
  tx: Transaction,
  { studioId, orderId }: OrderKey,
  { id, line, now }: { id: number; line: CartPackage; now: Date },
): Promise<Placed> => {
  await tx
    .updateTable('order_lines')
    .set(({ eb }) => ({
      content: JSON.stringify(line.cartPackageItems),
      snapshot: JSON.stringify(line.snapshot),
      green_screen_id: line.greenScreen?.id ?? null,
      needs_poses: needsPoses(line),
      version: eb('version', '+', 1),
      updated_at: now,
    }))
    .where('studio_id', '=', studioId)
    .where('id', '=', id)
    .execute()
  const { rows } = await sql<{ awaits_poses: boolean }>`
    update orders o set version = version + 1, updated_at = ${now},
           awaits_poses = exists (select from order_lines l where l.studio_id = o.studio_id and l.order_id = o.id and l.needs_poses)
     where o.studio_id = ${studioId} and o.id = ${orderId} returning awaits_poses`.execute(tx)
  return { needsPoses: needsPoses(line), awaitsPoses: rows[0]?.awaits_poses ?? false }
}

/** Places pictures on a package that was paid for before there were any, for as long as the lab does not have the order. */
export const placePoses = (
  deps: Deps,
  { visit, key, lineId }: Whose,
  wanted: Wanted,
): Promise<Placed | Problem<'not-found' | 'refused' | 'grant-needed'>> =>
  inTransaction(deps.db, async (tx) => {
    const { studioId, orderId } = key
    const now = deps.clock()
    // The order first: whoever hands it to the lab meanwhile waits, or we see that it went.
    await sql`select from orders where studio_id = ${studioId} and id = ${orderId} for update`.execute(tx)
    const order = await readPosingOrder(tx, key)
    const found = order?.lines.find(({ id }) => id === lineId)
    if (!order || !found) return problem('not-found')
    if (!isTheCustomers(order)) return problem('refused', atTheLab)
    const facts = await readFacts(tx, { visit, line: found.line, wanted, now })
    const line = posed(found.line, wanted, facts)
    if (!('lineId' in line)) return line
    const exchange = { lineId, items: line.cartPackageItems, greenScreenId: line.greenScreen?.id ?? null }
    if (await exchangesDownloaded(tx, key, exchange)) return problem('refused', downloadedAlready)
    const placed = await writeLine(tx, key, { id: lineId, line, now })
    const added = await keepDownloads(tx, deps, { ...key, told: () => true })
    const madeAt = now.toISOString()
    if (added > 0) await deps.jobs.enqueue(tx, 'tell-downloads', { studioId, orderId, madeAt })
    return placed
  })
