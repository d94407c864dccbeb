import { backgroundOf } from '../src/domain/backgrounds.ts'
import type { CartPackage } from '../src/domain/cart.ts'
import { cartsOf, foldRows, rowsOf } from '../src/local/cart-view.ts'
import type { LocalDatabase } from '../src/local/database.ts'
import { confirmedCart } from '../src/local/kept-cart.ts'
import { availabilityIn, isAvailability, jobOf, type PhotoRules, photoAt, photosIn } from './caching.ts'

/**
 * Learns from a fresh answer which grants are alive, and gives those that are not any more: an availability answer names all of its
 * job's; any other only proves the ones its photos lie under. A grant seen after the answer was asked for is newer than its word.
 */
export const noteGrants = async (
  db: LocalDatabase,
  { url, answer, askedAt, now }: { url: URL; answer: string; askedAt: number; now: number },
): Promise<Set<string>> => {
  const jobId = jobOf(url.pathname)
  if (jobId === null) return new Set()
  const all = isAvailability(url.pathname) ? availabilityIn(answer)?.grants.map((one) => one.grantId) : undefined
  const live = new Set(all ?? photosIn(answer).map((photo) => photo.grantId))
  return await db.transaction('rw', db.grants, async () => {
    const known = await db.grants.where('jobId').equals(jobId).toArray()
    const gone = all ? known.filter((one) => !live.has(one.grantId) && one.seenAt < askedAt) : []
    const withdrawn = gone.map((one) => one.grantId)
    await db.grants.bulkDelete(withdrawn)
    await db.grants.bulkPut([...live].map((grantId) => ({ grantId, jobId, seenAt: now })))
    return new Set(withdrawn)
  })
}

/** What the photo cache must know of the device now. */
export const photoRules = async (db: LocalDatabase, now: number): Promise<Omit<PhotoRules, 'withdrawn'>> => {
  const grants = await db.grants.toArray()
  const seenAtByGrant = new Map(grants.map(({ grantId, seenAt }) => [grantId, seenAt]))
  return { seenAtByGrant, pinned: await pinnedPictures(db), now }
}

/** Pictures and backgrounds chosen on any line of any cart of this device, and the faces its lines are shown with. */
const pinnedPictures = async (db: LocalDatabase): Promise<Set<number>> => {
  const lines: CartPackage[] = []
  for (const key of await cartsOf(db)) {
    lines.push(...foldRows(await confirmedCart(db, key), await rowsOf(db, key)).cart.cartPackages)
  }
  const nodes = lines.flatMap((line) => line.cartPackageItems).flatMap((item) => item.imageNodes)
  const chosen = nodes.flatMap((node) => [node.subjectImageId, node.groupImageId, node.replacementImageId])
  const faces = lines.map((line) => photoIdAt(line.snapshot.subject.imageThumbnailUrl))
  const backgrounds = lines.map((line) => backgroundOf(line)?.imageId ?? null)
  return new Set([...chosen, ...faces, ...backgrounds].filter((id) => id !== null))
}

const photoIdAt = (address: string | null): number | null =>
  address === null ? null : (photoAt({ pathname: address, search: '' })?.imageId ?? null)
