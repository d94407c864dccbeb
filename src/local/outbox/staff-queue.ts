import { is } from 'superstruct'
import { refusedMessage } from '#contract/shapes/problems.ts'
import { addWalkUp, MarkResult, markSubject, ShootSubject, undoMark } from '#contract/studio/shoots.ts'
import { logOut } from '#contract/system/auth.ts'
import { backoffDelay, retryPolicy } from '#domain/shared/retry-policy.ts'
import type { LaneState, StaffDatabase, StaffRequest, StaffRequestRow } from '../store/staff-database.ts'
import { updateStoredRoster } from '../store/stored-responses.ts'
import { type CallFailure, type CallResult, isServerResponse, type RequestFunction } from '../transport/request.ts'
import type { SendQueue } from '../transport/send-loop.ts'
import { studioOfLane } from './staff-outbox.ts'

export type StaffQueueDeps = {
  db: StaffDatabase
  /** Sends with the token of the signed-in user; it also sends sign-outs, which need no access token. */
  ask: RequestFunction
  /** Milliseconds since 1970. */
  clock: () => number
  /** From 0 to 1. */
  random: () => number
  /** Whether a user is signed in who may send the requests of a studio. */
  maySend: (studioId: number) => boolean
  /** Called with each final response: the request succeeded or was rejected. */
  onSettled?: (row: StaffRequestRow, answer: CallResult<unknown>) => void
}

const lockName = 'fieldproof-staff-outbox'

const send = (ask: RequestFunction, { requestId, request }: StaffRequestRow): Promise<CallResult<unknown>> => {
  if (request.kind === 'signOut')
    return ask(logOut, { body: { refreshToken: request.refreshToken }, idempotencyKey: requestId })
  const { studioId, jobId } = request
  const params = { studioId, jobId }
  if (request.kind === 'mark') return ask(markSubject, { params, body: request.body, idempotencyKey: requestId })
  if (request.kind === 'walkUp') return ask(addWalkUp, { params, body: request.body, idempotencyKey: requestId })
  return ask(undoMark, { params: { ...params, key: request.key }, body: {}, idempotencyKey: requestId })
}

/** The subject as the response to a shoot request describes it. */
export const shootSubjectIn = (data: unknown): ShootSubject | undefined => {
  if (is(data, MarkResult)) return data.person
  return is(data, ShootSubject) ? data : undefined
}

const isAllowed = ({ maySend }: StaffQueueDeps, lane: string): boolean => {
  const studioId = studioOfLane(lane)
  return studioId === null || maySend(studioId)
}

/** The requests that may be sent at `dueAt` or later, oldest first; only the first of several for the same subject. */
const sendable = async (deps: StaffQueueDeps): Promise<{ row: StaffRequestRow; dueAt: number }[]> => {
  const { db } = deps
  const rows = (await db.requests.where('state').anyOf('new', 'sent').toArray()).toSorted((a, b) => a.seq - b.seq)
  const nextAtByLane = new Map((await db.sending.toArray()).map(({ lane, nextAt }) => [lane, nextAt]))
  const seenKeys = new Set<string>()
  return rows.flatMap((row) => {
    const key = `${row.lane} ${row.about}`
    if (seenKeys.has(key) || !isAllowed(deps, row.lane)) return []
    seenKeys.add(key)
    return [{ row, dueAt: Math.max(row.nextAt, nextAtByLane.get(row.lane) ?? 0) }]
  })
}

const takeNext = (deps: StaffQueueDeps): Promise<StaffRequestRow | undefined> =>
  deps.db.transaction('rw', [deps.db.requests, deps.db.sending], async () => {
    const next = (await sendable(deps)).find(({ dueAt }) => dueAt <= deps.clock())?.row
    if (next) await deps.db.requests.update(next.seq, { state: 'sent' })
    return next
  })

const initialLaneState = (lane: string): LaneState => ({ lane, attempts: 0, nextAt: 0, unreached: false })

/** Postpones the lane: nothing in it can be sent until the server, or a user with permission, is back. */
const postponeLane = async (
  { db, clock, random }: StaffQueueDeps,
  lane: string,
  failure: CallFailure,
): Promise<void> => {
  const { attempts } = (await db.sending.get(lane)) ?? initialLaneState(lane)
  const nextAt = clock() + backoffDelay(attempts + 1, random(), failure.retryAfterSeconds)
  await db.sending.put({ lane, attempts: attempts + 1, nextAt, unreached: !isServerResponse(failure) })
}

/**
 * Postpones a request that may itself cause the server error it got: its lane waits, and other requests of the lane are
 * sent before it.
 */
const postponeRequest = async (deps: StaffQueueDeps, row: StaffRequestRow, failure: CallFailure): Promise<void> => {
  const { db, random } = deps
  await postponeLane(deps, row.lane, failure)
  const serverErrors = row.serverErrors + 1
  const { nextAt } = (await db.sending.get(row.lane)) ?? initialLaneState(row.lane)
  await db.requests.update(row.seq, { serverErrors, nextAt: nextAt + backoffDelay(serverErrors, random()) })
}

const applyResponse = (deps: StaffQueueDeps, row: StaffRequestRow, answer: CallResult<unknown>): Promise<void> => {
  const { db } = deps
  return db.transaction('rw', [db.requests, db.sending, db.answers], async () => {
    await db.sending.put(initialLaneState(row.lane))
    const isCompleted = answer.ok || row.request.kind === 'signOut'
    if (!isCompleted) {
      await db.requests.update(row.seq, { state: 'rejected', rejection: answer.errors.join(' ') || refusedMessage })
      return
    }
    await db.requests.delete(row.seq)
    const subject = answer.ok ? shootSubjectIn(answer.data) : undefined
    if (subject && row.request.kind !== 'signOut') await updateStoredRoster(db, row.request, [subject])
  })
}

const isUnauthorized = (request: StaffRequest, { status }: CallFailure): boolean =>
  request.kind !== 'signOut' && (status === 401 || status === 403)

/** A server error that this request may cause. A 503 is not one: it concerns every request. */
const isRequestSpecificError = ({ status }: CallFailure): boolean =>
  typeof status === 'number' && status >= 500 && status !== 503

const sendNext = async (deps: StaffQueueDeps): Promise<null> => {
  const row = await takeNext(deps)
  if (!row) return null
  const answer = await send(deps.ask, row)
  if (isServerResponse(answer)) await retryUnreachedNow(deps.db)
  if (!answer.ok && isRequestSpecificError(answer)) await postponeRequest(deps, row, answer)
  else if (
    !answer.ok &&
    (retryPolicy(answer.status, answer.problem) === 'retry' || isUnauthorized(row.request, answer))
  )
    await postponeLane(deps, row.lane, answer)
  else {
    await applyResponse(deps, row, answer)
    deps.onSettled?.(row, answer)
  }
  return null
}

const retryUnreachedNow = async (db: StaffDatabase): Promise<void> => {
  await db.sending.filter(({ unreached }) => unreached).modify({ nextAt: 0, unreached: false })
}

const endWaits = async (db: StaffDatabase): Promise<void> => {
  await db.sending.toCollection().modify({ nextAt: 0, attempts: 0 })
  await db.requests.where('state').equals('sent').modify({ nextAt: 0 })
}

/** The check-ins, walk-ups, undos and sign-outs of this device, for the send loop. */
export const createStaffQueue = (deps: StaffQueueDeps): SendQueue => {
  const { db } = deps
  return {
    db,
    lock: lockName,
    nextDue: async () => {
      const due = await sendable(deps)
      return due.length === 0 ? null : Math.min(...due.map(({ dueAt }) => dueAt))
    },
    sendNext: () => sendNext(deps),
    unsentCount: async () => (await sendable(deps)).length,
    endWaits: () => endWaits(db),
    retryUnreachedNow: () => retryUnreachedNow(db),
  }
}
