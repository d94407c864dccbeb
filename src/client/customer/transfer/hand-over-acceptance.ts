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

/** How far the taking has come, kept until the carts are here: a page that is closed in between goes on where it was. */
const Kept = type({
  token: string(),
  secret: string(),
  joined: optional(type({ jobId: integer(), studioId: integer(), orderMethod: OrderMethod })),
})
type Kept = Infer<typeof Kept>
type Joined = NonNullable<Kept['joined']>
const keptKey = 'hand-over'

/** `gone`: no device can take it any more. `own`: this one has a cart of its own, which one where it lies here. */
export type HandOverResult =
  | { as: 'taken'; jobId: number }
  | { as: 'gone' }
  | { as: 'own'; cart: CartKey | null }
  | { as: 'later'; answer: CallFailure }
  | { as: 'nothing' }

export type HandOverDependencies = {
  db: LocalDatabase
  /** Asked while the lock of the visit is held: it must not wait for that lock itself. */
  ask: RequestFunction
  /** Ends the session of a visit that was finished here before; answers why it could not. It takes the lock of the visit by itself. */
  settle: () => Promise<CallFailure | null>
  stamp: Stamp
  /** Told of the event that this device is in another visit of from now on. */
  sessionChanged: SessionChanged
  locks?: Locks
  drawSecret?: () => string
  /** Reads the event's carts from the server; answers why it could not. */
  pull: (of: Joined) => Promise<CallFailure | null>
}

/** 128 bits by this device's own chance. */
const randomSecret = (): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')

const keptOf = async (db: LocalDatabase, token: string | null): Promise<Kept | null> => {
  const kept = await readDraft(db, keptKey)
  return is(kept, Kept) && (token === null || kept.token === token) ? kept : null
}

/**
 * Takes what another device handed over. The secret is written down before anything leaves, so that asking again after a lost answer finds
 * this device in; `token` is null where the page was opened again without it. A device with a cart of its own joins no other visit: it
 * keeps its cart, or the customer finishes here first. So nothing of its own is sent, merged or lost by scanning a code.
 */
export const acceptHandOver = async (taking: HandOverDependencies, token: string | null): Promise<HandOverResult> => {
  const { db, settle, locks = deviceLocks } = taking
  const begun = await begin(taking, token)
  if (!begun) return { as: 'nothing' }
  const unsettled = await settle()
  if (unsettled) return { as: 'later', answer: unsettled }
  // A visit that is opened at the same time would have its cookie set over this one.
  const joined = await locks.request(sessionLock, () => join(taking, begun))
  if ('as' in joined) return joined
  const failed = await taking.pull(joined)
  if (failed) return { as: 'later', answer: failed }
  await deleteDraft(db, keptKey)
  return { as: 'taken', jobId: joined.jobId }
}

/** `again`: this device began before to take what stands in `kept`. */
type Begun = { kept: Kept; again: boolean }

const begin = async (
  { db, drawSecret = randomSecret }: HandOverDependencies,
  token: string | null,
): Promise<Begun | null> => {
  const before = await keptOf(db, token)
  if (before) return { kept: before, again: true }
  if (token === null) return null
  const kept = { token, secret: drawSecret() }
  await saveDraft(db, keptKey, kept)
  return { kept, again: false }
}

const join = async (
  { db, ask, stamp, sessionChanged }: HandOverDependencies,
  { kept, again }: Begun,
): Promise<Joined | HandOverResult> => {
  // Another tab may have come further meanwhile.
  const before = await keptOf(db, kept.token)
  if (before?.joined) return before.joined
  const own = await findOwnCart(db)
  const body = { token: kept.token, secret: kept.secret, holdsCart: own !== null }
  const answer = await ask(redeemHandOver, { body })
  if (!answer.ok) return await notJoined(db, answer, own)
  const { joined: isNew, jobId, studioId, orderMethod } = answer.data
  const joined = { jobId, studioId, orderMethod }
  // In already, with nothing of it written down: the answer that said so was lost, unless this device handed it over itself.
  if (isNew || (again && own === null)) {
    await joinSession(db, stamp, joined)
    await sessionChanged(jobId)
  }
  await saveDraft(db, keptKey, { token: kept.token, secret: kept.secret, joined })
  return joined
}

const notJoined = async (db: LocalDatabase, answer: CallFailure, own: CartKey | null): Promise<HandOverResult> => {
  if (answer.problem === 'own-cart') return { as: 'own', cart: own }
  if (answer.problem !== 'not-found') return { as: 'later', answer }
  await deleteDraft(db, keptKey)
  return { as: 'gone' }
}
