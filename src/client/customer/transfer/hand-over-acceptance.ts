import { type Infer, integer, is, optional, string, type } from 'superstruct'
import { redeemHandOver } from '#contract/customer/hand-over.ts'
import { OrderMethod } from '#contract/shapes/primitives.ts'
import type { Stamp } from '#domain/cart/mutation.ts'
import { findOwnCart, joinSession } from '#local/recovery/join-session.ts'
import type { SessionChanged } from '#local/recovery/restore-access.ts'
import type { CartKey, LocalDatabase } from '#local/store/database.ts'
import { deleteDraft, readDraft, saveDraft } from '#local/store/drafts.ts'
import { deviceLocks, type Locks, sessionLock } from '#local/transport/locks.ts'
import type { CallFailure, RequestFunction } from '#local/transport/request.ts'

/** The progress of an acceptance, stored until the carts are loaded, so that a page closed in between resumes. */
const AcceptanceProgress = type({
  token: string(),
  secret: string(),
  joined: optional(type({ jobId: integer(), studioId: integer(), orderMethod: OrderMethod })),
})
type AcceptanceProgress = Infer<typeof AcceptanceProgress>
type Joined = NonNullable<AcceptanceProgress['joined']>
const keptKey = 'hand-over'

/**
 * `gone`: no device can accept it any more. `own`: this device has a cart of its own, and which one if it is stored
 * here.
 */
export type HandOverResult =
  | { as: 'taken'; jobId: number }
  | { as: 'gone' }
  | { as: 'own'; cart: CartKey | null }
  | { as: 'later'; response: CallFailure }
  | { as: 'nothing' }

export type HandOverDependencies = {
  db: LocalDatabase
  /** Used while the session lock is held, so it must not wait for that lock itself. */
  ask: RequestFunction
  /**
   * Ends the session of a customer who finished here before; returns the failure, if any. Takes the session lock
   * itself.
   */
  settle: () => Promise<CallFailure | null>
  stamp: Stamp
  /** Called with the job once this device is in another session. */
  sessionChanged: SessionChanged
  locks?: Locks
  drawSecret?: () => string
  /** Loads the job's carts from the server; returns the failure, if any. */
  pull: (of: Joined) => Promise<CallFailure | null>
}

/** 128 random bits. */
const randomSecret = (): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')

const keptOf = async (db: LocalDatabase, token: string | null): Promise<AcceptanceProgress | null> => {
  const stored = await readDraft(db, keptKey)
  return is(stored, AcceptanceProgress) && (token === null || stored.token === token) ? stored : null
}

/**
 * Accepts a hand-over from another device. The secret is stored before anything is sent, so that a retry after a lost
 * response is recognised; `token` is null if the page was reopened without it. A device with its own cart joins no
 * other session: it keeps its cart, or the customer finishes here first. So scanning a code never sends, merges or
 * loses a cart.
 */
export const acceptHandOver = async (
  dependencies: HandOverDependencies,
  token: string | null,
): Promise<HandOverResult> => {
  const { db, settle, locks = deviceLocks } = dependencies
  const acceptance = await startAcceptance(dependencies, token)
  if (!acceptance) return { as: 'nothing' }
  const unsettled = await settle()
  if (unsettled) return { as: 'later', response: unsettled }
  // A session opened at the same time would overwrite this one's cookie.
  const joined = await locks.request(sessionLock, () => join(dependencies, acceptance))
  if ('as' in joined) return joined
  const failed = await dependencies.pull(joined)
  if (failed) return { as: 'later', response: failed }
  await deleteDraft(db, keptKey)
  return { as: 'taken', jobId: joined.jobId }
}

/** `again`: this device had already started to accept it. */
type StartedAcceptance = { progress: AcceptanceProgress; isResumed: boolean }

const startAcceptance = async (
  { db, drawSecret = randomSecret }: HandOverDependencies,
  token: string | null,
): Promise<StartedAcceptance | null> => {
  const before = await keptOf(db, token)
  if (before) return { progress: before, isResumed: true }
  if (token === null) return null
  const progress = { token, secret: drawSecret() }
  await saveDraft(db, keptKey, progress)
  return { progress, isResumed: false }
}

const join = async (
  { db, ask, stamp, sessionChanged }: HandOverDependencies,
  { progress, isResumed }: StartedAcceptance,
): Promise<Joined | HandOverResult> => {
  // Another tab may have advanced meanwhile.
  const before = await keptOf(db, progress.token)
  if (before?.joined) return before.joined
  const own = await findOwnCart(db)
  const body = { token: progress.token, secret: progress.secret, holdsCart: own !== null }
  const response = await ask(redeemHandOver, { body })
  if (!response.ok) return await notJoined(db, response, own)
  const { joined: isNew, jobId, studioId, orderMethod } = response.data
  const joined = { jobId, studioId, orderMethod }
  // Already joined with nothing stored: the response was lost, unless this device created the hand-over itself.
  if (isNew || (isResumed && own === null)) {
    await joinSession(db, stamp, joined)
    await sessionChanged(jobId)
  }
  await saveDraft(db, keptKey, { token: progress.token, secret: progress.secret, joined })
  return joined
}

const notJoined = async (db: LocalDatabase, response: CallFailure, own: CartKey | null): Promise<HandOverResult> => {
  if (response.problem === 'own-cart') return { as: 'own', cart: own }
  if (response.problem !== 'not-found') return { as: 'later', response }
  await deleteDraft(db, keptKey)
  return { as: 'gone' }
}
