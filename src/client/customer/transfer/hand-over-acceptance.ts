import { type Infer, integer, is, optional, string, type } from 'superstruct'
import { redeemHandOver } from '#contract/customer/hand-over.ts'
import { OrderMethod } from '#contract/shapes/primitives.ts'
import type { Stamp } from '#domain/cart/mutation.ts'
import { findOwnCart, joinSession } from '#local/recovery/join-session.ts'
import type { OnSessionChanged } from '#local/recovery/restore-access.ts'
import type { LocalDatabase } from '#local/store/database.ts'
import { deleteDraft, readDraft, saveDraft } from '#local/store/device-entries.ts'
import type { CartKey } from '#local/store/rows.ts'
import { deviceLocks, type Locks, sessionLock } from '#local/transport/locks.ts'
import type { CallFailure, RequestFunction } from '#local/transport/request.ts'

/** The progress of an acceptance, stored until the carts are loaded, so that a page closed in between resumes. */
const AcceptanceProgress = type({
  token: string(),
  secret: string(),
  joined: optional(type({ jobId: integer(), studioId: integer(), orderMethod: OrderMethod })),
})
type AcceptanceProgress = Infer<typeof AcceptanceProgress>
type JoinedSession = NonNullable<AcceptanceProgress['joined']>
const progressKey = 'hand-over'

/**
 * `gone`: no device can accept it any more. `own`: this device has its own cart; `cart` is null if it is not stored
 * here. `nothing`: the URL has no token, and this device has not started to accept a hand-over.
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
  endPendingSession: () => Promise<CallFailure | null>
  stamp: Stamp
  /** Called with the job once this device is in another session. */
  sessionChanged: OnSessionChanged
  locks?: Locks
  createSecret?: () => string
  /** Loads the job's carts from the server; returns the failure, if any. */
  pull: (session: JoinedSession) => Promise<CallFailure | null>
}

/** 128 random bits. */
const randomSecret = (): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')

const readProgress = async (db: LocalDatabase, token: string | null): Promise<AcceptanceProgress | null> => {
  const stored = await readDraft(db, progressKey)
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
  const { db, endPendingSession, locks = deviceLocks } = dependencies
  const acceptance = await startAcceptance(dependencies, token)
  if (!acceptance) return { as: 'nothing' }
  const failure = await endPendingSession()
  if (failure) return { as: 'later', response: failure }
  // A session opened at the same time would overwrite this one's cookie.
  const session = await locks.request(sessionLock, () => join(dependencies, acceptance))
  if ('as' in session) return session
  const pullFailure = await dependencies.pull(session)
  if (pullFailure) return { as: 'later', response: pullFailure }
  await deleteDraft(db, progressKey)
  return { as: 'taken', jobId: session.jobId }
}

/** `isResumed`: this device had already started to accept the hand-over. */
type StartedAcceptance = { progress: AcceptanceProgress; isResumed: boolean }

const startAcceptance = async (
  { db, createSecret = randomSecret }: HandOverDependencies,
  token: string | null,
): Promise<StartedAcceptance | null> => {
  const stored = await readProgress(db, token)
  if (stored) return { progress: stored, isResumed: true }
  if (token === null) return null
  const progress = { token, secret: createSecret() }
  await saveDraft(db, progressKey, progress)
  return { progress, isResumed: false }
}

const join = async (
  { db, ask, stamp, sessionChanged }: HandOverDependencies,
  { progress, isResumed }: StartedAcceptance,
): Promise<JoinedSession | HandOverResult> => {
  // Another tab may have advanced meanwhile.
  const stored = await readProgress(db, progress.token)
  if (stored?.joined) return stored.joined
  const ownCart = await findOwnCart(db)
  const body = { token: progress.token, secret: progress.secret, holdsCart: ownCart !== null }
  const response = await ask(redeemHandOver, { body })
  if (!response.ok) return await failedResult(db, response, ownCart)
  const { joined: isNew, jobId, studioId, orderMethod } = response.data
  const session = { jobId, studioId, orderMethod }
  // Already joined with nothing stored: the response was lost, unless this device created the hand-over itself.
  if (isNew || (isResumed && ownCart === null)) {
    await joinSession(db, stamp, session)
    await sessionChanged(jobId)
  }
  await saveDraft(db, progressKey, { token: progress.token, secret: progress.secret, joined: session })
  return session
}

const failedResult = async (
  db: LocalDatabase,
  response: CallFailure,
  ownCart: CartKey | null,
): Promise<HandOverResult> => {
  if (response.problem === 'own-cart') return { as: 'own', cart: ownCart }
  if (response.problem !== 'not-found') return { as: 'later', response }
  await deleteDraft(db, progressKey)
  return { as: 'gone' }
}
