import { navigate } from 'wouter/use-browser-location'
import type { AnyCall } from '#contract/shapes/call.ts'
import { getHealth } from '#contract/system/health.ts'
import { onPhotosState } from '#local/store/images-version.ts'
import { request as askServer, onMaintenance } from '#local/transport/http-client.ts'
import { type CallFailure, type CallResult, isServerResponse, type RequestFunction } from '#local/transport/request.ts'
import { flushAll } from '../flush-on-unload.ts'
import { reportReachable } from '../online.ts'
import { pendingLogout } from '../session/pending-logout.ts'
import { urls } from '../urls.ts'
import { passOnPhotosState } from './broadcast-images-version.ts'
import { createMaintenanceGate } from './maintenance-gate.ts'

const here = () => location.pathname + location.search

const leave = () => {
  if (location.pathname !== urls.maintenance()) navigate(urls.maintenance({ from: here() }), { replace: true })
}

/** This page's way in and out of maintenance; the sender's 503 comes here too. */
export const maintenanceGate = createMaintenanceGate({ keep: flushAll, leave })
onMaintenance(maintenanceGate.onUnavailable)
onPhotosState(passOnPhotosState)

/** Milliseconds between two quiet looks whether the server can be reached again. */
const lookAgainMs = 10_000
let looking = false

// Nobody tells a page that a server is back; without this the words "You're offline" would outlive the outage.
const lookForServer = () => {
  if (looking) return
  looking = true
  setTimeout(() => {
    looking = false
    void isServerBack()
  }, lookAgainMs)
}

/** Whether the server answers screens again. Its health is told during maintenance too, which is no answer to a screen. */
export const isServerBack = async (): Promise<boolean> => {
  const answer = await askServer(getHealth)
  const back = answer.ok && !answer.data.maintenance
  if (back) hear(answer, 'proof')
  else if (answer.status === 'unreachable') hear(answer, 'maybe-kept')
  else reportReachable(true)
  return back
}

// The worker answers reads of the catalogue from what it keeps: such an answer proves nothing about the network.
const neverKept = /\/(cart|checkout|orders|health)(\/|$)/
const proofOf = ({ method, path }: AnyCall): 'proof' | 'maybe-kept' =>
  method !== 'GET' || neverKept.test(path) || !navigator.serviceWorker?.controller ? 'proof' : 'maybe-kept'

const answerListeners = new Set<() => void>()

/** Calls the listener each time the server answers a call of this page, but for those of its sender; until the returned function is called. */
export const onServerResponse = (listener: () => void): (() => void) => {
  answerListeners.add(listener)
  return () => answerListeners.delete(listener)
}

/** What the page learns from an answer to one of its calls, which wakes the sender too. */
const hear = <Data>(answer: CallResult<Data>, proof: 'proof' | 'maybe-kept'): CallResult<Data> => {
  if (proof === 'proof' && isServerResponse(answer)) for (const listener of answerListeners) listener()
  return recordResponse(answer, proof)
}

/** What the page learns from an answer, whoever asked. */
export const recordResponse = <Data>(answer: CallResult<Data>, proof: 'proof' | 'maybe-kept'): CallResult<Data> => {
  if (answer.status === 'unreachable') {
    reportReachable(false)
    lookForServer()
  } else if (proof === 'proof') {
    reportReachable(true)
    if (answer.status !== 503) maintenanceGate.onAvailable()
  }
  return answer
}

const turnedAway = /^(session-unknown|code-needed|grant-needed)$/

/**
 * What to answer for a call that was turned away; null where it is worth asking once more, since a forgotten visit was taken up again
 * or the event's doors may be open by now (with code that comes only then). Where the device can do neither, the answer stands.
 */
const stillShut = async (answer: CallFailure, given: { params?: unknown } | undefined): Promise<CallFailure | null> => {
  if (!turnedAway.test(answer.problem ?? '')) return answer
  const { jobId } = (given?.params ?? {}) as { jobId?: number } // every call about an event names it so
  try {
    return await (await import('../session/recover-denied-call.ts')).recoverDeniedCall(askServer, answer, jobId)
  } catch {
    return answer
  }
}

/** A call whose answer stands as it is, and that waits for nothing else of the visit: the page learns from it all the same. */
export const callApiWithoutRecovery: RequestFunction = async (call, given) =>
  hear(await askServer(call, given), proofOf(call))

/** The first retry may meet a session that another tab or the sender has just begun, before its codes are redeemed. */
const maxRetries = 2

/**
 * Every call a screen makes: as typed by the contract; the page learns from it whether the server can be reached, and a visit the
 * server forgot is taken up again. A visit that was finished here ends first.
 */
export const callApi: RequestFunction = async (call, given) => {
  const unsettled = await pendingLogout.complete()
  if (unsettled) return hear(unsettled, 'proof')
  let answer = await askServer(call, given)
  for (let retries = 0; retries < maxRetries && !answer.ok; retries += 1) {
    if (given?.signal?.aborted) return answer
    const shut = await stillShut(answer, given)
    if (shut) return hear(shut, proofOf(call))
    answer = await askServer(call, given)
  }
  return hear(answer, proofOf(call))
}
