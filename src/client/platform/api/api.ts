import type { Infer } from 'superstruct'
import { navigate } from 'wouter/use-browser-location'
import type { AnyCall } from '#contract/shapes/call.ts'
import { getHealth } from '#contract/system/health.ts'
import { onImagesVersion } from '#local/store/images-version.ts'
import { onMaintenance, request as sendRequest } from '#local/transport/http-client.ts'
import { type CallFailure, type CallResult, isServerResponse, type RequestFunction } from '#local/transport/request.ts'
import type { PageToWorkerMessage } from '#local/transport/worker-messages.ts'
import { flushAll } from '../flush-on-unload.ts'
import { reportReachable } from '../online.ts'
import { pendingLogout } from '../session/pending-logout.ts'
import { urls } from '../urls.ts'
import { createMaintenanceGate } from './maintenance-gate.ts'

let lastImagesVersion: string | undefined

/**
 * Passes the session's images version to the worker, which deletes withdrawn images. Without a controlling worker only
 * the cart stores images, and the page deletes them when the version changes.
 */
const broadcastImagesVersion = (state: string): void => {
  const worker = navigator.serviceWorker?.controller
  if (worker) worker.postMessage({ type: 'photos', state } satisfies PageToWorkerMessage)
  else if (lastImagesVersion !== undefined && lastImagesVersion !== state)
    void import('./check-cached-images.ts').then(({ checkCachedImages }) => checkCachedImages(state))
  lastImagesVersion = state
}

const currentUrl = () => location.pathname + location.search

const leave = () => {
  if (location.pathname !== urls.maintenance()) navigate(urls.maintenance({ from: currentUrl() }), { replace: true })
}

/** This page's maintenance state; 503 responses to the sender count too. */
export const maintenanceGate = createMaintenanceGate({ flush: flushAll, leave })
onMaintenance(maintenanceGate.onUnavailable)
onImagesVersion(broadcastImagesVersion)

/** Milliseconds until the first and between further checks that test whether the server is reachable again. */
const minPollMs = 3_000
const maxPollMs = 10_000
let nextPollMs = minPollMs
let isPollScheduled = false
let lastPollAt = 0

/**
 * Milliseconds after the last check until the wait starts from its minimum again. An answered check does not reset it: an
 * overloaded server may answer checks, but no other call.
 */
const resetMs = 30_000

// No browser event announces that a server is back; without polling, "You're offline" would outlive the outage. Often a
// single response was lost, so the first check is soon.
const pollServer = () => {
  if (isPollScheduled) return
  isPollScheduled = true
  if (Date.now() - lastPollAt > resetMs) nextPollMs = minPollMs
  setTimeout(() => {
    isPollScheduled = false
    lastPollAt = Date.now()
    void checkHealth()
  }, nextPollMs)
  nextPollMs = Math.min(nextPollMs * 2, maxPollMs)
}

/**
 * Checks whether the server serves screens again, and updates the connection state. The health check responds during
 * maintenance too, which does not count.
 */
export const checkHealth = async (): Promise<CallResult<Infer<typeof getHealth.answer>>> => {
  const response = await sendRequest(getHealth)
  if (response.ok && !response.data.maintenance) handleResponse(response, 'proof')
  else if (response.status === 'unreachable') handleResponse(response, 'maybe-cached')
  else reportReachable(true)
  return response
}

// The worker may respond to catalogue reads from its cache: such a response proves nothing about the network.
const neverCached = /\/(cart|checkout|orders|health)(\/|$)/
const proofOf = ({ method, path }: AnyCall): 'proof' | 'maybe-cached' =>
  method !== 'GET' || neverCached.test(path) || !navigator.serviceWorker?.controller ? 'proof' : 'maybe-cached'

const responseListeners = new Set<() => void>()

/**
 * Calls the listener on each server response to a call of this page, except the sender's. Returns a function that
 * unsubscribes.
 */
export const onServerResponse = (listener: () => void): (() => void) => {
  responseListeners.add(listener)
  return () => responseListeners.delete(listener)
}

/** Updates the connection state from a response to a call, and wakes the sender. */
const handleResponse = <Data>(response: CallResult<Data>, proof: 'proof' | 'maybe-cached'): CallResult<Data> => {
  if (proof === 'proof' && isServerResponse(response)) for (const listener of responseListeners) listener()
  return recordResponse(response, proof)
}

/** Updates the connection state from any response, also the sender's. */
export const recordResponse = <Data>(response: CallResult<Data>, proof: 'proof' | 'maybe-cached'): CallResult<Data> => {
  if (response.status === 'unreachable') {
    reportReachable(false)
    pollServer()
  } else if (proof === 'proof') {
    reportReachable(true)
    if (response.status !== 503) maintenanceGate.onAvailable()
  }
  return response
}

const deniedProblems = /^(session-unknown|code-needed|grant-needed)$/

/**
 * Returns the failure for a denied call, or null if it should be retried because the session or the job access was
 * recovered (with code loaded on demand). If the device cannot recover, returns the original response.
 */
const failureAfterRecovery = async (
  response: CallFailure,
  input: { params?: unknown } | undefined,
): Promise<CallFailure | null> => {
  if (!deniedProblems.test(response.problem ?? '')) return response
  const { jobId } = (input?.params ?? {}) as { jobId?: number } // the parameter that every call about a job has
  try {
    return await (await import('../session/recover-denied-call.ts')).recoverDeniedCall(sendRequest, response, jobId)
  } catch {
    return response
  }
}

/**
 * A call without recovery or waiting for the session: its response is returned as is, but still updates the connection
 * state.
 */
export const callApiWithoutRecovery: RequestFunction = async (call, input) =>
  handleResponse(await sendRequest(call, input), proofOf(call))

/**
 * The first retry may meet a session that another tab or the sender has just started, before its codes are redeemed.
 */
const maxRetries = 2

/**
 * Every call of a screen, typed by the contract. Updates the connection state and recovers a lost session. Completes a
 * pending logout first.
 */
export const callApi: RequestFunction = async (call, input) => {
  const logoutFailure = await pendingLogout.complete()
  if (logoutFailure) return handleResponse(logoutFailure, 'proof')
  let response = await sendRequest(call, input)
  for (let retries = 0; retries < maxRetries && !response.ok; retries += 1) {
    if (input?.signal?.aborted) return response
    const failure = await failureAfterRecovery(response, input)
    if (failure) return handleResponse(failure, proofOf(call))
    response = await sendRequest(call, input)
  }
  return handleResponse(response, proofOf(call))
}
