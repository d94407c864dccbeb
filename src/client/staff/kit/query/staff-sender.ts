import { getDefaultStore } from 'jotai'
import { logOut } from '#contract/system/auth.ts'
import { createStaffQueue } from '#local/outbox/staff-queue.ts'
import { openStaffDatabase, type StaffRequestRow } from '#local/store/staff-database.ts'
import { purgeStoredResponses } from '#local/store/stored-responses.ts'
import { deviceLocks } from '#local/transport/locks.ts'
import type { CallResult, RequestFunction } from '#local/transport/request.ts'
import { createSendLoop, type Sender } from '#local/transport/send-loop.ts'
import { deviceTimers } from '#local/transport/timers.ts'
import { wakeOnSignals } from '#local/transport/wake-on-signals.ts'
import { callApi, onServerResponse } from '#platform/api/api.ts'
import type { Claims } from '../session/claims.ts'
import { claimsAtom } from '../session/current-session.ts'
import { authorizedRequest } from './authorized-request.ts'

/** What staff leave on this device. */
export const staffDatabase = openStaffDatabase()

/** Some private windows have no database at all: there the shoot day needs the network, as every other screen does. */
export const hasStaffDatabase = (): boolean => 'indexedDB' in globalThis

const idleSender: Sender = { drain: async () => undefined, wake: async () => undefined, stop: () => undefined }

type Listener = (row: StaffRequestRow, answer: CallResult<unknown>) => void

const listeners = new Set<Listener>()

/** Calls the listener with each answer that settled a request of this tab, until the returned function is called. */
export const onSettledRequest = (listener: Listener): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether somebody may send and see what waits for a studio. */
export const canSendFor = (claims: Claims | null, studioId: number): boolean => {
  if (!claims) return false
  const { permissions } = claims
  return (
    permissions.includes('studio.admin.crud') || (permissions.includes('studio.crud') && claims.studioId === studioId)
  )
}

// A sign-out carries its own proof; everything else goes with the token of the signed-in user.
const askForQueue: RequestFunction = (call, given) =>
  call.path === logOut.path ? callApi(call, given) : authorizedRequest(call, given)

let sender: Sender | undefined

/** Sends from this tab what staff left on this device, from now on; the same sender however often it is asked for. */
export const staffSender = (): Sender => {
  if (sender) return sender
  if (!hasStaffDatabase()) return idleSender
  const store = getDefaultStore()
  const queue = createStaffQueue({
    db: staffDatabase,
    ask: askForQueue,
    clock: Date.now,
    random: Math.random,
    maySend: (studioId) => canSendFor(store.get(claimsAtom), studioId),
    onSettled: (row, answer) => {
      for (const listener of listeners) listener(row, answer)
    },
  })
  sender = createSendLoop(queue, { locks: deviceLocks, clock: Date.now, timers: deviceTimers })
  const { wake } = sender
  wakeOnSignals(sender, { window, document, onServerResponse })
  store.sub(claimsAtom, () => void wake('start'))
  void purgeStoredResponses(staffDatabase, Date.now()).catch(console.warn)
  void wake('start')
  return sender
}
