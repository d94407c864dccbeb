import { syncCart } from '#contract/customer/cart-calls.ts'
import { refusedMessage } from '#contract/shapes/problems.ts'
import type { Stamp } from '#domain/cart/mutation.ts'
import { backoffDelay, retryPolicy } from '#domain/shared/retry-policy.ts'
import { applySyncResult, type SentBatch, type SyncOutcome } from '../outbox/apply-sync-result.ts'
import { retryUnreachedNow, unsentCount, updateSending } from '../outbox/sending-state.ts'
import { rejectUnlessSuperseded } from '../outbox/supersede.ts'
import { claimSyncBatch, nextDue } from '../outbox/sync-batch.ts'
import type { Recovery } from '../recovery/recovery.ts'
import type { OnSessionChanged } from '../recovery/restore-access.ts'
import type { LocalDatabase } from '../store/database.ts'
import { markAccessLost } from '../store/job-access.ts'
import type { CartKey } from '../store/rows.ts'
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
  sessionChanged?: OnSessionChanged
  /** Loads the code that handles server errors and lost sessions; null if it cannot be loaded now. */
  loadRecovery: () => Promise<Recovery | null>
}

const clearBackoff = async (db: LocalDatabase): Promise<void> => {
  await db.sending.toCollection().modify({ nextAt: 0, attempts: 0 })
}

/**
 * Sends the outbox, cart by cart, each in order. Any number of senders may run over one database, in tabs and the
 * worker: the lock allows one request at a time, and all state for the next attempt (what was sent, when to retry) is
 * in the database.
 */
export const createSender = (deps: SenderDeps): Sender => {
  const { db, clock } = deps
  const sendNext = async (): Promise<FollowUp | null> => {
    const outcome = await sendOnce(deps)
    return outcome === 'stored' ? null : { run: () => recoverAndRetry(deps, outcome) }
  }
  return createSendLoop(
    {
      db,
      lock: outboxLock,
      nextDue: () => nextDue(db, clock()),
      sendNext,
      unsentCount: () => unsentCount(db),
      endWaits: () => clearBackoff(db),
      retryUnreachedNow: () => retryUnreachedNow(db),
    },
    deps,
  )
}

/**
 * `stored`: the result is stored, whatever it was; otherwise what must be recovered before this cart can be sent again.
 */
type Outcome = 'stored' | { missing: 'session' | 'access'; sent: SentBatch }

/** One request, from claiming its mutations to storing its result; the lock is held for exactly this. */
const sendOnce = async (deps: SenderDeps): Promise<Outcome> => {
  const { db, ask, clock, stamp } = deps
  const sent = await claimSyncBatch(db, clock())
  if (!sent) return 'stored'
  if (sent.isAccessLost) return { missing: 'access', sent }
  const { orderMethod, jobId } = sent.key
  const mutations = sent.rows.map((row) => row.recorded.mutation)
  const { stored, sentBefore, base } = sent
  const optionalFields = { ...(stored?.cart.id && { cartId: stored.cart.id }), sentBefore, base }
  const answer = await ask(syncCart, { params: { jobId }, body: { orderMethod, ...optionalFields, mutations } })
  if (isServerResponse(answer)) await retryUnreachedNow(db)
  if (answer.ok) {
    const settled = await applySyncResult(db, stamp, { sent, answer: answer.data })
    const recovery = sent.isProbe && settled === 'nothing' ? await deps.loadRecovery() : null
    if (recovery) await recovery.confirmServerHealthy(db, sent.key)
    else await recordOutcome(deps, sent, settled)
    return 'stored'
  }
  const decision = retryPolicy(answer.status, answer.problem ?? null)
  if (decision === 'session-unknown') return { missing: 'session', sent }
  if (answer.status === 403) {
    await markAccessLost(db, jobId, sent.session)
    // The cart is no longer in flight, and due at once.
    await updateSending(db, sent.key, () => ({}))
  } else if (decision === 'rejected' && sent.isProbe) await stopProbing(deps, sent.key, answer)
  else if (decision === 'rejected') await narrowDown(db, sent, answer)
  else await waitOrBisect(deps, sent, answer)
  return 'stored'
}

/** A server error or an unreachable server: waits, or bisects the batch to find the mutation that causes it. */
const waitOrBisect = async (
  deps: SenderDeps,
  sent: SentBatch & { isProbe: boolean },
  answer: CallFailure,
): Promise<void> => {
  const recovery = isServerError(answer) ? await deps.loadRecovery() : null
  if (recovery) await recovery.bisectAfterServerError(deps, sent)
  else await postpone(deps, sent.key, answer)
}

const recordOutcome = async (deps: SenderDeps, { key, rows }: SentBatch, settled: SyncOutcome): Promise<void> => {
  if (settled === 'settled')
    await updateSending(deps.db, key, (sending) => ({
      attempts: 0,
      nextAt: 0,
      ...clearSuspects(sending, rows.length),
    }))
  // A lost cart is sent again at once; a server that always loses it, or returns no results, must not be flooded.
  if (settled === 'lost' || settled === 'nothing') await postpone(deps, key)
}

/** Schedules a retry. Without a `failure`, as after a recovery, the first retry is due at once. */
const postpone = ({ db, clock, random }: SenderDeps, key: CartKey, failure?: CallFailure): Promise<void> =>
  updateSending(db, key, ({ attempts }) => {
    const delayMs = attempts === 0 && !failure ? 0 : backoffDelay(attempts + 1, random(), failure?.retryAfterSeconds)
    const unreached = failure !== undefined && !isServerResponse(failure)
    return { attempts: attempts + 1, nextAt: clock() + delayMs, waitsSince: clock(), unreached }
  })

/**
 * A probe without mutations was rejected: it says nothing about the server's health, and the batch is retried later.
 */
const stopProbing = async (deps: SenderDeps, key: CartKey, answer: CallFailure): Promise<void> => {
  await updateSending(deps.db, key, () => ({ diagnosis: undefined }))
  await postpone(deps, key, answer)
}

/**
 * The whole request was rejected: smaller batches find the mutation that causes it, which is set aside so that the rest
 * is sent.
 */
const narrowDown = async (db: LocalDatabase, { key, rows }: SentBatch, answer: CallFailure): Promise<void> => {
  const [suspect, ...others] = rows
  if (suspect && others.length === 0) {
    const message = answer.errors[0] ?? refusedMessage
    await rejectUnlessSuperseded(db, suspect, { problem: answer.problem ?? 'refused', message })
  }
  const isDecided = others.length === 0
  const batchLimit = isDecided ? 0 : Math.ceil(rows.length / 2)
  await updateSending(db, key, (sending) => ({
    ...{ attempts: 0, nextAt: 0, batchLimit },
    ...(isDecided && clearSuspects(sending, rows.length)),
  }))
}

/** Runs outside the lock, because each of its requests takes the lock itself. */
const recoverAndRetry = async (
  deps: SenderDeps,
  { missing, sent }: { missing: 'session' | 'access'; sent: SentBatch },
) => {
  const { db, ask, locks, stamp, sessionChanged } = deps
  const { key, session } = sent
  const recovery = await deps.loadRecovery()
  if (!recovery) return await postpone(deps, key, unreachable)
  const askUnderLock: RequestFunction = (call, input) => locks.request(outboxLock, () => ask(call, input))
  if (missing === 'session') {
    const recovered = await recovery.recoverSession(db, askUnderLock, { locks, stamp, session, sessionChanged })
    return await postpone(deps, key, recovered.kind === 'later' ? recovered.answer : undefined)
  }
  const access = await recovery.restoreLostAccess(db, askUnderLock, { locks, sessionChanged, jobId: key.jobId })
  await postpone(deps, key, access.kind === 'later' ? access.answer : undefined)
}
