import { openSession } from '#contract/customer/discovery-calls.ts'
import { emptyCart } from '#domain/cart/cart.ts'
import type { Stamp } from '#domain/cart/mutation.ts'
import { deviceStamp } from '../outbox/device-stamp.ts'
import { sendingOf } from '../outbox/enqueue.ts'
import { cartsOf } from '../store/cart-view.ts'
import { isPaying } from '../store/confirmed-cart.ts'
import type { LocalDatabase } from '../store/database.ts'
import { noteShutDoors, shutDoors, shutDoorsOf } from '../store/job-access.ts'
import { countSession, sessionCount } from '../store/session-count.ts'
import { deviceLocks, type Locks, sessionLock } from '../transport/locks.ts'
import type { Ask, Failed } from '../transport/request.ts'
import { sendCartAgain } from './requeue-lost-cart.ts'
import { type DoorsAgain, openDoorsAgain, type SessionChanged } from './restore-access.ts'

/** `later`: there is no new visit yet, and why. What did not open in a new one stays shut, for whoever needs it next to open. */
export type Recovered = { kind: 'recovered' } | { kind: 'later'; answer: Failed }
export type RecoverParts = { locks: Locks; stamp: Stamp; session?: number; sessionChanged?: SessionChanged | undefined }

/**
 * The server does not know this device any more (401 `session-unknown`): a new session, every code and person given again, and
 * every cart sent once more under new ids. Only a refused code pauses, and only its job's carts. `session`: the count when the 401's
 * request began; if it has grown since, another tab has begun all this, and what it did not come to is done here.
 */
export const recover = async (
  db: LocalDatabase,
  ask: Ask,
  parts: RecoverParts = { locks: deviceLocks, stamp: deviceStamp },
): Promise<Recovered> => {
  const before = parts.session ?? (await sessionCount(db))
  return await parts.locks.request(sessionLock, async (): Promise<Recovered> => {
    if ((await sessionCount(db)) === before) {
      const opened = await ask(openSession)
      if (!opened.ok) return { kind: 'later', answer: opened }
      // Before anything else is asked: should the rest not come through, the new visit is one that was told nothing yet.
      await startAgain(db, parts.stamp)
    }
    for (const { jobId } of await shutDoors(db)) {
      const doors = await openIfShut(db, ask, { ...parts, jobId })
      // The next would get no answer either, and others wait for the lock.
      if (doors.kind === 'later') break
    }
    return { kind: 'recovered' }
  })
}

type OpenParts = Pick<RecoverParts, 'locks' | 'sessionChanged'> & { jobId: number }

/** Opens an event's doors where they are shut, unless only the customer can; nobody else does at the same time. */
export const openShutDoors = (db: LocalDatabase, ask: Ask, parts: OpenParts): Promise<DoorsAgain> =>
  parts.locks.request(sessionLock, () => openIfShut(db, ask, parts))

const openIfShut = async (
  db: LocalDatabase,
  ask: Ask,
  { jobId, sessionChanged }: Omit<OpenParts, 'locks'>,
): Promise<DoorsAgain> => {
  const shut = await shutDoorsOf(db, jobId)
  if (!shut) return { kind: 'open' }
  const { refusal } = shut
  const doors: DoorsAgain = refusal
    ? { kind: 'refused', refusal }
    : await openDoorsAgain(db, ask, { jobId, sessionChanged })
  if (doors.kind === 'refused') await db.sending.where('jobId').equals(jobId).modify({ paused: doors.refusal })
  return doors
}

/**
 * What lies here is told to a visit that knows nothing of it yet: its codes, its people, its carts. A cart that is being paid waits until
 * the outcome is known.
 */
export const startAgain = async (db: LocalDatabase, stamp: Stamp): Promise<void> => {
  await db.transaction('rw', db.tables, async () => {
    await countSession(db)
    const carts = await cartsOf(db)
    const jobs = new Set([...(await db.codes.toArray()), ...carts].map((one) => one.jobId))
    await noteShutDoors(
      db,
      [...jobs].map((jobId) => ({ jobId, refusal: null, stale: true })),
    )
    for (const key of carts) {
      if (!(await isPaying(db, key)))
        await sendCartAgain(db, key, { found: emptyCart(key.jobId, key.orderMethod), stamp })
      const sending = await sendingOf(db, key)
      await db.sending.put({ ...sending, nextAt: 0, inFlight: false, paused: null })
    }
  })
}
