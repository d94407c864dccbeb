import type { CartPackage } from '#domain/cart/cart.ts'
import { backgroundOf } from '#domain/cart/line-background.ts'
import { deviceStamp } from '#local/outbox/device-stamp.ts'
import { knownCarts, outboxRowsOf } from '#local/outbox/outbox-rows.ts'
import { replayRows } from '#local/outbox/replay-rows.ts'
import { type DeviceFailure, withDatabaseRetry } from '#local/recovery/with-database-retry.ts'
import { readConfirmedCart } from '#local/store/confirmed-cart.ts'
import type { LocalDatabase, StoredGrant } from '#local/store/database.ts'
import { jobsWithoutAccess } from '#local/store/job-access.ts'
import { deleteImages } from '#local/store/purge-images.ts'
import { sessionCount } from '#local/store/session-count.ts'
import { availabilityIn, type ImageCacheRules, imagesIn, isAvailability, jobOf, parseImageUrl } from './cache-rules.ts'

export type GrantTrackerDeps = {
  db: LocalDatabase
  clock: () => number
  /** What lies here under grants that the server has just not named any more has to go. */
  withdraw: (grants: ReadonlySet<string>) => Promise<void>
  /** Every open page shows what is left once all of it is gone from the device. */
  notifyAllPages: () => Promise<void>
}

/** Hears a fresh answer; false where it speaks of what is over since it was asked for, and must not stay. */
export type ResponseListener = (url: URL, answer: string) => Promise<boolean>

/** The grants of this device as the server's answers name them. */
export const createGrantTracker = ({ db, clock, withdraw, notifyAllPages: tellAll }: GrantTrackerDeps) => {
  /** Withdrawals while this worker lives, and which of them took each grant: an answer from before it proves nothing. */
  let withdrawals = 0
  const takenBy = new Map<string, number>()

  /** Writes down which grants are alive, and gives those that are not any more; `over` where the answer is from before an end. */
  const note = ({ jobId, isAll, live, asked }: NamedGrants & { asked: RequestContext }) =>
    db.transaction('rw', [db.grants, db.device], async (): Promise<Set<string> | 'over'> => {
      if ((await sessionCount(db)) !== asked.session) return 'over'
      // In here one answer is heard after the other.
      if ([...live].some((grantId) => (takenBy.get(grantId) ?? 0) > asked.withdrawals)) return 'over'
      const known = await db.grants.where('jobId').equals(jobId).toArray()
      const isGone = ({ grantId, seenAt }: StoredGrant): boolean => !live.has(grantId) && seenAt < asked.at
      // Those whose codes and people were not all given again yet are not refused.
      const gone = isAll && !asked.between.has(jobId) ? known.filter(isGone).map(({ grantId }) => grantId) : []
      if (gone.length > 0) withdrawals += 1
      for (const grantId of gone) takenBy.set(grantId, withdrawals)
      await db.grants.bulkPut([...live].map((grantId) => ({ grantId, jobId, seenAt: clock() })))
      return new Set(gone)
    })

  /** To be called before asking. A device that cannot say in which visit that is learns nothing from the answer. */
  const listen = async (): Promise<ResponseListener> => {
    const before = withdrawals
    const visit = await withDatabaseRetry(db, () => currentSession(db))
    const at = clock()
    return async (url, answer) => {
      const named = grantsIn(url, answer)
      if (named === null || 'ok' in visit) return true
      const gone = await withDatabaseRetry(db, () => note({ ...named, asked: { ...visit, withdrawals: before, at } }))
      if (gone === 'over') return false
      if ('ok' in gone || gone.size === 0) return true
      await withdraw(gone)
      await withDatabaseRetry(db, () =>
        deleteImages(db, deviceStamp, (address) => gone.has(address.split('/')[2] ?? '')),
      )
      // Not before: a worker that is stopped meanwhile finds them at the next contact.
      await withDatabaseRetry(db, () => deleteGrants(db, gone, at))
      await tellAll()
      return true
    }
  }

  return { listen }
}

/** As it was when an answer was asked for. `between`: events that were between two visits; `at`: milliseconds since 1970. */
type RequestContext = { session: number; between: ReadonlySet<number>; withdrawals: number; at: number }

const currentSession = (db: LocalDatabase): Promise<Pick<RequestContext, 'session' | 'between'>> =>
  db.transaction('r', db.device, async () => {
    const stale = (await jobsWithoutAccess(db)).filter((one) => one.stale)
    return { session: await sessionCount(db), between: new Set(stale.map(({ jobId }) => jobId)) }
  })

/** A grant seen after the answer was asked for is newer than its word. */
const deleteGrants = (db: LocalDatabase, gone: ReadonlySet<string>, askedAt: number): Promise<number> =>
  db.grants
    .where('grantId')
    .anyOf([...gone])
    .and(({ seenAt }) => seenAt < askedAt)
    .delete()

type NamedGrants = {
  jobId: number
  /** Of the job's grants these are all; else they are some. */
  isAll: boolean
  live: ReadonlySet<string>
}

/** An availability answer names all grants of its job; any other only proves the ones its photos lie under. */
const grantsIn = (url: URL, answer: string): NamedGrants | null => {
  const jobId = jobOf(url.pathname)
  if (jobId === null) return null
  const all = isAvailability(url.pathname) ? availabilityIn(answer)?.grants.map((one) => one.grantId) : undefined
  return { jobId, isAll: all !== undefined, live: new Set(all ?? imagesIn(answer).map((photo) => photo.grantId)) }
}

/** What the photo cache must know of the device now. */
export const readImageCacheRules = (
  db: LocalDatabase,
  now: number,
): Promise<Omit<ImageCacheRules, 'withdrawn'> | DeviceFailure> =>
  withDatabaseRetry(db, async () => {
    const grants = await db.grants.toArray()
    const seenAtByGrant = new Map(grants.map(({ grantId, seenAt }) => [grantId, seenAt]))
    return { seenAtByGrant, pinned: await pinnedImages(db), now }
  })

/** Pictures and backgrounds chosen on any line of any cart of this device, and the faces its lines are shown with. */
const pinnedImages = async (db: LocalDatabase): Promise<Set<number>> => {
  const lines: CartPackage[] = []
  for (const key of await knownCarts(db)) {
    lines.push(...replayRows(await readConfirmedCart(db, key), await outboxRowsOf(db, key)).cart.cartPackages)
  }
  const nodes = lines.flatMap((line) => line.cartPackageItems).flatMap((item) => item.imageNodes)
  const chosen = nodes.flatMap((node) => [node.subjectImageId, node.groupImageId, node.replacementImageId])
  const faces = lines.map((line) => imageIdAt(line.snapshot.subject.imageThumbnailUrl))
  const backgrounds = lines.map((line) => backgroundOf(line)?.imageId ?? null)
  return new Set([...chosen, ...faces, ...backgrounds].filter((id) => id !== null))
}

const imageIdAt = (address: string | null): number | null =>
  address === null ? null : (parseImageUrl({ pathname: address, search: '' })?.imageId ?? null)
