import { is } from 'superstruct'
import { refusedMessage } from '#contract/shapes/problems.ts'
import { addWalkUp, MarkResult, markSubject, ShootSubject, undoMark } from '#contract/studio/shoots.ts'
import { logOut } from '#contract/system/auth.ts'
import { backoffDelay, retryPolicy } from '#domain/shared/retry-policy.ts'
import type { LaneSending, StaffDatabase, StaffRequest, StaffRequestRow } from '../store/staff-database.ts'
import { updateStoredRoster } from '../store/stored-responses.ts'
import { type CallFailure, type CallResult, isServerResponse, type RequestFunction } from '../transport/request.ts'
import type { SendQueue } from '../transport/send-loop.ts'
import { studioOfLane } from './staff-outbox.ts'

export type StaffQueueDeps = {
  db: StaffDatabase
  /** With the token of the signed-in user; sign-outs are sent by it too and need none. */
  ask: RequestFunction
  /** Milliseconds since 1970. */
  clock: () => number
  /** From 0 to 1. */
  random: () => number
  /** Whether somebody is signed in here who may send what waits for a studio. */
  maySend: (studioId: number) => boolean
  /** Called with each answer that settled a request. */
  onSettled?: (row: StaffRequestRow, answer: CallResult<unknown>) => void
}

const lock = 'fieldproof-staff-outbox'

const send = (ask: RequestFunction, { requestId, request }: StaffRequestRow): Promise<CallResult<unknown>> => {
  if (request.kind === 'signOut')
    return ask(logOut, { body: { refreshToken: request.refreshToken }, idempotencyKey: requestId })
  const { studioId, jobId } = request
  const params = { studioId, jobId }
  if (request.kind === 'mark') return ask(markSubject, { params, body: request.body, idempotencyKey: requestId })
  if (request.kind === 'walkUp') return ask(addWalkUp, { params, body: request.body, idempotencyKey: requestId })
  return ask(undoMark, { params: { ...params, key: request.key }, body: {}, idempotencyKey: requestId })
}

/** The person as an answer to a shoot request describes them. */
export const shootSubjectIn = (data: unknown): ShootSubject | undefined => {
  if (is(data, MarkResult)) return data.person
  return is(data, ShootSubject) ? data : undefined
}

const isAllowed = ({ maySend }: StaffQueueDeps, lane: string): boolean => {
  const studioId = studioOfLane(lane)
  return studioId === null || maySend(studioId)
}

/** The requests that may go now or at `dueAt`, oldest first; of several about the same thing only the first. */
const sendable = async (parts: StaffQueueDeps): Promise<{ row: StaffRequestRow; dueAt: number }[]> => {
  const { db } = parts
  const rows = (await db.requests.where('state').anyOf('new', 'sent').toArray()).toSorted((a, b) => a.seq - b.seq)
  const nextAtByLane = new Map((await db.sending.toArray()).map(({ lane, nextAt }) => [lane, nextAt]))
  const seen = new Set<string>()
  return rows.flatMap((row) => {
    const about = `${row.lane} ${row.about}`
    if (seen.has(about) || !isAllowed(parts, row.lane)) return []
    seen.add(about)
    return [{ row, dueAt: Math.max(row.nextAt, nextAtByLane.get(row.lane) ?? 0) }]
  })
}

const takeNext = (parts: StaffQueueDeps): Promise<StaffRequestRow | undefined> =>
  parts.db.transaction('rw', [parts.db.requests, parts.db.sending], async () => {
    const next = (await sendable(parts)).find(({ dueAt }) => dueAt <= parts.clock())?.row
    if (next) await parts.db.requests.update(next.seq, { state: 'sent' })
    return next
  })

const idle = (lane: string): LaneSending => ({ lane, attempts: 0, nextAt: 0, unreached: false })

/** The lane waits: nothing of it can be sent before the server, or somebody who is allowed, is back. */
const postponeLane = async (
  { db, clock, random }: StaffQueueDeps,
  lane: string,
  failed: CallFailure,
): Promise<void> => {
  const { attempts } = (await db.sending.get(lane)) ?? idle(lane)
  const nextAt = clock() + backoffDelay(attempts + 1, random(), failed.retryAfterSeconds)
  await db.sending.put({ lane, attempts: attempts + 1, nextAt, unreached: !isServerResponse(failed) })
}

/** The server fails at this request: the lane waits, and then another request of it goes first. */
const postponeRequest = async (parts: StaffQueueDeps, row: StaffRequestRow, failed: CallFailure): Promise<void> => {
  const { db, random } = parts
  await postponeLane(parts, row.lane, failed)
  const serverErrors = row.serverErrors + 1
  const { nextAt } = (await db.sending.get(row.lane)) ?? idle(row.lane)
  await db.requests.update(row.seq, { serverErrors, nextAt: nextAt + backoffDelay(serverErrors, random()) })
}

const applyResponse = (parts: StaffQueueDeps, row: StaffRequestRow, answer: CallResult<unknown>): Promise<void> => {
  const { db } = parts
  return db.transaction('rw', [db.requests, db.sending, db.answers], async () => {
    await db.sending.put(idle(row.lane))
    const isOver = answer.ok || row.request.kind === 'signOut'
    if (!isOver) {
      await db.requests.update(row.seq, { state: 'refused', refusal: answer.errors.join(' ') || refusedMessage })
      return
    }
    await db.requests.delete(row.seq)
    const person = answer.ok ? shootSubjectIn(answer.data) : undefined
    if (person && row.request.kind !== 'signOut') await updateStoredRoster(db, row.request, [person])
  })
}

const isPermissionMissing = (request: StaffRequest, { status }: CallFailure): boolean =>
  request.kind !== 'signOut' && (status === 401 || status === 403)

const isServerError = ({ status }: CallFailure): boolean =>
  typeof status === 'number' && status >= 500 && status !== 503

const sendNext = async (parts: StaffQueueDeps): Promise<null> => {
  const row = await takeNext(parts)
  if (!row) return null
  const answer = await send(parts.ask, row)
  if (isServerResponse(answer)) await endUnreachedWaits(parts.db)
  if (!answer.ok && isServerError(answer)) await postponeRequest(parts, row, answer)
  else if (
    !answer.ok &&
    (retryPolicy(answer.status, answer.problem) === 'retry' || isPermissionMissing(row.request, answer))
  )
    await postponeLane(parts, row.lane, answer)
  else {
    await applyResponse(parts, row, answer)
    parts.onSettled?.(row, answer)
  }
  return null
}

const endUnreachedWaits = async (db: StaffDatabase): Promise<void> => {
  await db.sending.filter(({ unreached }) => unreached).modify({ nextAt: 0, unreached: false })
}

const endWaits = async (db: StaffDatabase): Promise<void> => {
  await db.sending.toCollection().modify({ nextAt: 0, attempts: 0 })
  await db.requests.where('state').equals('sent').modify({ nextAt: 0 })
}

/** The check-ins, walk-ups, undos and sign-outs of this device, for the send loop. */
export const createStaffQueue = (parts: StaffQueueDeps): SendQueue => {
  const { db } = parts
  return {
    db,
    lock,
    nextDue: async () => {
      const due = await sendable(parts)
      return due.length === 0 ? null : Math.min(...due.map(({ dueAt }) => dueAt))
    },
    sendNext: () => sendNext(parts),
    unsentCount: async () => (await sendable(parts)).length,
    endWaits: () => endWaits(db),
    endUnreachedWaits: () => endUnreachedWaits(db),
  }
}
