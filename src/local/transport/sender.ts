import { syncCart } from '#contract/customer/cart-calls.ts'
import { refusedMessage } from '#contract/shapes/problems.ts'
import type { Stamp } from '#domain/cart/mutation.ts'
import { backoffDelay, retryPolicy } from '#domain/shared/retry-policy.ts'
import { applySyncResult, type SentBatch, type SyncOutcome } from '../outbox/apply-sync-result.ts'
import { endUnreachedWaits, unsentCount, updateSending } from '../outbox/sending-state.ts'
import { rejectUnlessSuperseded } from '../outbox/supersede.ts'
import { claimSyncBatch, nextDue } from '../outbox/sync-batch.ts'
import type { Recovery } from '../recovery/recovery.ts'
import type { SessionChanged } from '../recovery/restore-access.ts'
import type { CartKey, LocalDatabase } from '../store/database.ts'
import { markAccessLost } from '../store/job-access.ts'
import { clearSuspects, isServerError } from './bisect-batch.ts'
import { outboxLock } from './locks.ts'
import { type CallFailure, isServerResponse, type RequestFunction, unreachable } from './request.ts'
import { createSendLoop, type FollowUp, type Sender, type SendLoopDeps } from './send-loop.ts'

export type SenderDeps = SendLoopDeps & {
  db: LocalDatabase
  ask: RequestFunction
  /** From 0 to 1. */
  random: () => number
  stamp: Stamp
  sessionChanged?: SessionChanged
  /** What to do where more is wrong than the line; null where it cannot be had now. */
  loadRecovery: () => Promise<Recovery | null>
}

const clearBackoff = async (db: LocalDatabase): Promise<void> => {
  await db.sending.toCollection().modify({ nextAt: 0, attempts: 0 })
}

/**
 * Sends the outbox, cart by cart, each in order. Any number of these may run over one database, in tabs and the worker: the lock
 * lets one request out at a time, and all that must be known next time (what was sent, when to try again) lies in the database.
 */
export const createSender = (parts: SenderDeps): Sender => {
  const { db, clock } = parts
  const sendNext = async (): Promise<FollowUp | null> => {
    const outcome = await sendOnce(parts)
    return outcome === 'went' ? null : { run: () => recoverAndRetry(parts, outcome) }
  }
  return createSendLoop(
    {
      db,
      lock: outboxLock,
      nextDue: () => nextDue(db, clock()),
      sendNext,
      unsentCount: () => unsentCount(db),
      endWaits: () => clearBackoff(db),
      endUnreachedWaits: () => endUnreachedWaits(db),
    },
    parts,
  )
}

/** `went`: whatever the answer, it is written down; else what must be put right before this cart goes again. */
type Outcome = 'went' | { missing: 'session' | 'doors'; sent: SentBatch }

/** One request, from taking its mutations to writing down its answer; the lock is held around exactly this. */
const sendOnce = async (parts: SenderDeps): Promise<Outcome> => {
  const { db, ask, clock, stamp } = parts
  const sent = await claimSyncBatch(db, clock())
  if (!sent) return 'went'
  if (sent.doorsShut) return { missing: 'doors', sent }
  const { orderMethod, jobId } = sent.key
  const mutations = sent.rows.map((row) => row.recorded.mutation)
  const meant = sent.cartId === null ? {} : { cartId: sent.cartId }
  const answer = await ask(syncCart, { params: { jobId }, body: { orderMethod, ...meant, mutations } })
  if (isServerResponse(answer)) await endUnreachedWaits(db)
  if (answer.ok) {
    const settled = await applySyncResult(db, stamp, { sent, answer: answer.data })
    const rescue = sent.asks && settled === 'nothing' ? await parts.loadRecovery() : null
    if (rescue) await rescue.confirmServerHealthy(db, sent.key)
    else await recordOutcome(parts, sent, settled)
    return 'went'
  }
  const means = retryPolicy(answer.status, answer.problem ?? null)
  if (means === 'session-unknown') return { missing: 'session', sent }
  if (answer.status === 403) {
    await markAccessLost(db, jobId, sent.session)
    // It is under way no more, and due at once.
    await updateSending(db, sent.key, () => ({}))
  } else if (means === 'refused' && sent.asks) await stopProbing(parts, sent.key, answer)
  else if (means === 'refused') await narrowDown(db, sent, answer)
  else await waitOrBisect(parts, sent, answer)
  return 'went'
}

/** The server is out of order, or stumbles over one of these. */
const waitOrBisect = async (
  parts: SenderDeps,
  sent: SentBatch & { asks: boolean },
  answer: CallFailure,
): Promise<void> => {
  const rescue = isServerError(answer) ? await parts.loadRecovery() : null
  if (rescue) await rescue.bisectAfterServerError(parts, sent)
  else await postpone(parts, sent.key, answer)
}

const recordOutcome = async (parts: SenderDeps, { key, rows }: SentBatch, settled: SyncOutcome): Promise<void> => {
  if (settled === 'settled')
    await updateSending(parts.db, key, (sending) => ({
      attempts: 0,
      nextAt: 0,
      ...clearSuspects(sending, rows.length),
    }))
  // A lost cart goes again at once; a server that loses it every time, or settles nothing, is not to be hammered.
  if (settled === 'lost' || settled === 'nothing') await postpone(parts, key)
}

/** Tries again later, unchanged; the first time at once where something was just put right (`from` absent). */
const postpone = ({ db, clock, random }: SenderDeps, key: CartKey, from?: CallFailure): Promise<void> =>
  updateSending(db, key, ({ attempts }) => {
    const wait = attempts === 0 && !from ? 0 : backoffDelay(attempts + 1, random(), from?.retryAfterSeconds)
    const unreached = from !== undefined && !isServerResponse(from)
    return { attempts: attempts + 1, nextAt: clock() + wait, waitsSince: clock(), unreached }
  })

/** Refused with nothing in it: how the server is cannot be asked like that, and what waits is told again after a while. */
const stopProbing = async (parts: SenderDeps, key: CartKey, answer: CallFailure): Promise<void> => {
  await updateSending(parts.db, key, () => ({ doubt: undefined }))
  await postpone(parts, key, answer)
}

/** The whole request was refused: fewer at a time find the one that is to blame, which is set aside so that the rest go on. */
const narrowDown = async (db: LocalDatabase, { key, rows }: SentBatch, answer: CallFailure): Promise<void> => {
  const [blamed, ...others] = rows
  if (blamed && others.length === 0) {
    const sentence = answer.errors[0] ?? refusedMessage
    await rejectUnlessSuperseded(db, blamed, { problem: answer.problem ?? 'refused', message: sentence })
  }
  const isDecided = others.length === 0
  const batchLimit = isDecided ? 0 : Math.ceil(rows.length / 2)
  await updateSending(db, key, (sending) => ({
    ...{ attempts: 0, nextAt: 0, batchLimit },
    ...(isDecided && clearSuspects(sending, rows.length)),
  }))
}

/** Outside the lock, since what it asks takes the lock for each request by itself. */
const recoverAndRetry = async (
  parts: SenderDeps,
  { missing, sent }: { missing: 'session' | 'doors'; sent: SentBatch },
) => {
  const { db, ask, locks, stamp, sessionChanged } = parts
  const { key, session } = sent
  const rescue = await parts.loadRecovery()
  if (!rescue) return await postpone(parts, key, unreachable)
  const askAlone: RequestFunction = (call, given) => locks.request(outboxLock, () => ask(call, given))
  if (missing === 'session') {
    const recovered = await rescue.recoverSession(db, askAlone, { locks, stamp, session, sessionChanged })
    return await postpone(parts, key, recovered.kind === 'later' ? recovered.answer : undefined)
  }
  const doors = await rescue.restoreLostAccess(db, askAlone, { locks, sessionChanged, jobId: key.jobId })
  await postpone(parts, key, doors.kind === 'later' ? doors.answer : undefined)
}
