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

/** The staff database of this device: queued requests and stored responses. */
export const staffDatabase = openStaffDatabase()

/** False in private windows without IndexedDB. The shoot day then needs the network, like all other screens. */
export const hasStaffDatabase = (): boolean => 'indexedDB' in globalThis

const idleSender: Sender = { drain: async () => undefined, wake: async () => undefined, stop: () => undefined }

type SettledListener = (row: StaffRequestRow, answer: CallResult<unknown>) => void

const listeners = new Set<SettledListener>()

/** Calls the listener when a request sent by this tab is settled. Returns a function that unsubscribes. */
export const onSettledRequest = (listener: SettledListener): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether the user may see and send the pending requests of a studio. */
export const canSendFor = (claims: Claims | null, studioId: number): boolean => {
  if (!claims) return false
  const { permissions } = claims
  return (
    permissions.includes('studio.admin.crud') || (permissions.includes('studio.crud') && claims.studioId === studioId)
  )
}

// A sign-out carries its own token; every other request uses the user's access token.
const sendQueuedRequest: RequestFunction = (call, options) =>
  call.path === logOut.path ? callApi(call, options) : authorizedRequest(call, options)

let sender: Sender | undefined

/** The sender of this device's queued requests. The first call creates and starts it. */
export const staffSender = (): Sender => {
  if (sender) return sender
  if (!hasStaffDatabase()) return idleSender
  const store = getDefaultStore()
  const queue = createStaffQueue({
    db: staffDatabase,
    ask: sendQueuedRequest,
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
