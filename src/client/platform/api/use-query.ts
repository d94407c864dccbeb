import { useCallback, useEffect, useState } from 'react'
import type { Infer } from 'superstruct'
import { type AnyCall, pathOf } from '#contract/shapes/call.ts'
import { isFinalFailure } from '#local/transport/failure-cause.ts'
import { inlinedResponses } from '#local/transport/http-client.ts'
import { type CallFailure, type CallInput, parseStoredResponse } from '#local/transport/request.ts'
import { online } from '../online.ts'
import { callApi } from './api.ts'
import { notCached, onCacheUpdate } from './cache-updates.ts'
import { clearPreloadedResponses, takePreloadedResponse } from './preloaded-responses.ts'

export type QueryResult<Data> = {
  data?: Data | undefined
  /** Why there is no newer response. `data` is then the last good one; it remains while only the network is missing. */
  problem?: CallFailure | undefined
  /** True until there is a response of any kind. */
  loading: boolean
  refetch: () => void
}

type QueryState = { address: string; data?: unknown; problem?: CallFailure }

/** Responses seen in this tab, by URL: returning to a screen shows them at once while a newer one loads. */
const cache = new Map<string, unknown>()

type Listener = (state: QueryState) => void

/** Subscribers by URL: all of them get each response, so that a guard never knows less than its screen. */
const listeners = new Map<string, Set<Listener>>()

const listenTo = (address: string, listener: Listener): (() => void) => {
  const subscribers = listeners.get(address) ?? new Set()
  listeners.set(address, subscribers.add(listener))
  return () => {
    subscribers.delete(listener)
    if (subscribers.size === 0 && listeners.get(address) === subscribers) listeners.delete(address)
  }
}

let lastRequestNumber = 0
/** The latest request answered per URL: an older response that arrives later is ignored. */
const answeredRequestNumber = new Map<string, number>()

/** Clears all responses: the session changed, and with it the access. */
export const clearQueryCache = (): void => {
  cache.clear()
  clearPreloadedResponses()
  inlinedResponses.clear()
}

/** The last response seen, or a preloaded one. */
const lastDataFor = (call: AnyCall, address: string): unknown => {
  const text = takePreloadedResponse(address)
  const preloaded = text === undefined || cache.has(address) ? undefined : parseStoredResponse(call, text)
  if (preloaded !== undefined) cache.set(address, preloaded)
  return cache.get(address)
}

/** The data after a response: a definite rejection removes the old data, a failed connection does not. */
const nextState = (
  previousData: unknown,
  response: { ok: true; data: unknown } | CallFailure,
): Omit<QueryState, 'address'> => {
  if (response.ok) return { data: response.data }
  return isFinalFailure(response) ? { problem: response } : { data: previousData, problem: response }
}

/**
 * Runs a contract call and keeps its response fresh: requests it again when the worker reports a newer one, when the
 * network is back, and on `refetch()`. A null `input` requests nothing. `input` is plain data, compared by value.
 */
export const useQuery = <Call extends AnyCall>(
  call: Call,
  input: Pick<CallInput<Call>, 'params' | 'query'> | null,
): QueryResult<Infer<Call['answer']>> => {
  const address = input === null ? null : pathOf(call, input.params ?? {}, input.query ?? {})
  const serialized = input === null ? null : JSON.stringify(input)
  const [queryState, setQueryState] = useState<QueryState | null>(null)
  const [attempt, setAttempt] = useState(0)
  const retry = useCallback(() => setAttempt((before) => before + 1), [])

  useEffect(
    () =>
      onCacheUpdate((changed) => {
        if (address === null) return
        if (changed === null || changed === address || (changed === notCached && !inlinedResponses.has(address)))
          retry()
      }),
    [address, retry],
  )

  // Refresh once the network is back, e.g. for changed prices.
  useEffect(() => online.subscribe(() => online.current() && retry()), [retry])

  useEffect(() => (address === null ? undefined : listenTo(address, setQueryState)), [address])

  // biome-ignore lint/correctness/useExhaustiveDependencies(attempt): a new attempt requests again
  useEffect(() => {
    if (address === null || serialized === null) return
    const controller = new AbortController()
    const load = async () => {
      lastRequestNumber += 1
      const requestNumber = lastRequestNumber
      const response = await callApi(call, {
        ...(JSON.parse(serialized) as CallInput<Call>),
        signal: controller.signal,
      }) // serialized above
      if (controller.signal.aborted || (answeredRequestNumber.get(address) ?? 0) > requestNumber) return
      answeredRequestNumber.set(address, requestNumber)
      const next = nextState(cache.get(address), response)
      if (next.data === undefined) cache.delete(address)
      else cache.set(address, next.data)
      for (const listener of listeners.get(address) ?? []) listener({ address, ...next })
    }
    void load()
    return () => controller.abort()
  }, [call, address, serialized, attempt])

  if (address === null) return { loading: false, refetch: retry }
  const current: QueryState =
    queryState?.address === address ? queryState : { address, data: lastDataFor(call, address) }
  // The call's struct validated the data before it was cached under this call's URL.
  const data = current.data as Infer<Call['answer']> | undefined
  return {
    data,
    problem: current.problem,
    loading: data === undefined && current.problem === undefined,
    refetch: retry,
  }
}
