import type { CartPackage } from '#domain/cart/cart.ts'
import { backgroundOf } from '#domain/cart/line-background.ts'
import { deviceStamp } from '#local/outbox/device-stamp.ts'
import { knownCarts, outboxRowsOf, replayRows } from '#local/outbox/outbox-rows.ts'
import { type DeviceFailure, withDatabaseRetry } from '#local/recovery/with-database-retry.ts'
import { readConfirmedCart } from '#local/store/confirmed-cart.ts'
import type { LocalDatabase } from '#local/store/database.ts'
import { sessionCount } from '#local/store/device-entries.ts'
import { jobsWithoutAccess } from '#local/store/job-access.ts'
import { deleteImages } from '#local/store/purge-images.ts'
import type { StoredGrant } from '#local/store/rows.ts'
import { availabilityIn, type ImageCacheRules, imagesIn, isAvailability, jobOf, parseImageUrl } from './cache-rules.ts'

export type GrantTrackerDeps = {
  db: LocalDatabase
  clock: () => number
  /** Removes everything stored under grants that the server no longer lists. */
  withdraw: (grants: ReadonlySet<string>) => Promise<void>
  /** Notifies every open page once all of it is removed. */
  notifyAllPages: () => Promise<void>
}

/** Records a response; false if the session has ended or a grant in it was revoked since: it must not be stored. */
export type ResponseListener = (url: URL, answer: string) => Promise<boolean>

/** The grants of this device, as the server's responses list them. */
export const createGrantTracker = ({ db, clock, withdraw, notifyAllPages }: GrantTrackerDeps) => {
  /** Revocations since this worker started, and which one removed each grant: an older response proves nothing. */
  let withdrawals = 0
  const withdrawalByGrant = new Map<string, number>()

  /**
   * Records which grants are live, and returns those that no longer are; `over` if the session has ended, or a grant
   * in the response was revoked, since the request.
   */
  const recordGrants = ({ jobId, isAll, live, context }: NamedGrants & { context: RequestContext }) =>
    db.transaction('rw', [db.grants, db.device], async (): Promise<Set<string> | 'over'> => {
      if ((await sessionCount(db)) !== context.session) return 'over'
      // Responses are processed one at a time in here.
      if ([...live].some((grantId) => (withdrawalByGrant.get(grantId) ?? 0) > context.withdrawals)) return 'over'
      const storedGrants = await db.grants.where('jobId').equals(jobId).toArray()
      const isRevoked = ({ grantId, seenAt }: StoredGrant): boolean => !live.has(grantId) && seenAt < context.at
      // Grants whose codes and subjects are not all restored yet are not revoked.
      const revoked =
        isAll && !context.between.has(jobId) ? storedGrants.filter(isRevoked).map(({ grantId }) => grantId) : []
      if (revoked.length > 0) withdrawals += 1
      for (const grantId of revoked) withdrawalByGrant.set(grantId, withdrawals)
      await db.grants.bulkPut([...live].map((grantId) => ({ grantId, jobId, seenAt: clock() })))
      return new Set(revoked)
    })

  /** Called before a request. If the device does not know the session, nothing is learned from the response. */
  const listen = async (): Promise<ResponseListener> => {
    const withdrawalsBefore = withdrawals
    const session = await withDatabaseRetry(db, () => currentSession(db))
    const requestedAt = clock()
    return async (url, answer) => {
      const namedGrants = grantsIn(url, answer)
      if (namedGrants === null || 'ok' in session) return true
      const revoked = await withDatabaseRetry(db, () =>
        recordGrants({ ...namedGrants, context: { ...session, withdrawals: withdrawalsBefore, at: requestedAt } }),
      )
      if (revoked === 'over') return false
      if ('ok' in revoked || revoked.size === 0) return true
      await withdraw(revoked)
      await withDatabaseRetry(db, () =>
        deleteImages(db, deviceStamp, (address) => revoked.has(address.split('/')[2] ?? '')),
      )
      // Not earlier: if the worker is stopped meanwhile, the next contact finds them.
      await withDatabaseRetry(db, () => deleteGrants(db, revoked, requestedAt))
      await notifyAllPages()
      return true
    }
  }

  return { listen }
}

/**
 * The state at the time of a request. `between`: jobs that were between two sessions; `at`: milliseconds since 1970.
 */
type RequestContext = { session: number; between: ReadonlySet<number>; withdrawals: number; at: number }

const currentSession = (db: LocalDatabase): Promise<Pick<RequestContext, 'session' | 'between'>> =>
  db.transaction('r', db.device, async () => {
    const lostAccesses = (await jobsWithoutAccess(db)).filter(({ stale }) => stale)
    return { session: await sessionCount(db), between: new Set(lostAccesses.map(({ jobId }) => jobId)) }
  })

/** A grant recorded after the request is newer than its response. */
const deleteGrants = (db: LocalDatabase, revoked: ReadonlySet<string>, requestedAt: number): Promise<number> =>
  db.grants
    .where('grantId')
    .anyOf([...revoked])
    .and(({ seenAt }) => seenAt < requestedAt)
    .delete()

type NamedGrants = {
  jobId: number
  /** Whether these are all grants of the job, or only some. */
  isAll: boolean
  live: ReadonlySet<string>
}

/** An availability response lists all grants of its job; any other proves only those of its images. */
const grantsIn = (url: URL, answer: string): NamedGrants | null => {
  const jobId = jobOf(url.pathname)
  if (jobId === null) return null
  const allGrantIds = isAvailability(url.pathname)
    ? availabilityIn(answer)?.grants.map((grant) => grant.grantId)
    : undefined
  return {
    jobId,
    isAll: allGrantIds !== undefined,
    live: new Set(allGrantIds ?? imagesIn(answer).map((image) => image.grantId)),
  }
}

/** What the image cache needs to know about the device now. */
export const readImageCacheRules = (
  db: LocalDatabase,
  now: number,
): Promise<Omit<ImageCacheRules, 'withdrawn'> | DeviceFailure> =>
  withDatabaseRetry(db, async () => {
    const grants = await db.grants.toArray()
    const seenAtByGrant = new Map(grants.map(({ grantId, seenAt }) => [grantId, seenAt]))
    return { seenAtByGrant, pinned: await pinnedImages(db), now }
  })

/** Images and backgrounds chosen on any line of any cart of this device, and the images shown with its lines. */
const pinnedImages = async (db: LocalDatabase): Promise<Set<number>> => {
  const lines: CartPackage[] = []
  for (const key of await knownCarts(db)) {
    lines.push(...replayRows(await readConfirmedCart(db, key), await outboxRowsOf(db, key)).cart.cartPackages)
  }
  const nodes = lines.flatMap((line) => line.cartPackageItems).flatMap((item) => item.imageNodes)
  const chosen = nodes.flatMap((node) => [node.subjectImageId, node.groupImageId, node.replacementImageId])
  const subjectImages = lines.map((line) => imageIdAt(line.snapshot.subject.imageThumbnailUrl))
  const backgrounds = lines.map((line) => backgroundOf(line)?.imageId ?? null)
  return new Set([...chosen, ...subjectImages, ...backgrounds].filter((id) => id !== null))
}

const imageIdAt = (address: string | null): number | null =>
  address === null ? null : (parseImageUrl({ pathname: address, search: '' })?.imageId ?? null)
