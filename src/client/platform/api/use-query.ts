import { useCallback, useEffect, useState } from 'react'
import type { Infer } from 'superstruct'
import { type AnyCall, pathOf } from '#contract/shapes/call.ts'
import { isFinalFailure } from '#local/transport/failure-cause.ts'
import { type CallFailure, type CallInput, parseStoredResponse } from '#local/transport/request.ts'
import { online } from '../online.ts'
import { callApi } from './api.ts'
import { onCacheUpdate } from './cache-updates.ts'
import { clearPreloadedResponses, takePreloadedResponse } from './preloaded-responses.ts'

export type QueryResult<Data> = {
  data?: Data | undefined
  /** Why there is no newer response. `data` is then the last good one; it remains while only the network is missing. */
  problem?: CallFailure | undefined
  /** True until there is a response of any kind. */
  loading: boolean
  refetch: () => void
}

type Known = { address: string; data?: unknown; problem?: CallFailure }

/** Responses seen in this tab, by URL: returning to a screen shows them at once while a newer one loads. */
const seen = new Map<string, unknown>()

type Hear = (known: Known) => void

/** Subscribers by URL: all of them get each response, so that a guard never knows less than its screen. */
const hearing = new Map<string, Set<Hear>>()

const listenTo = (address: string, hear: Hear): (() => void) => {
  const places = hearing.get(address) ?? new Set()
  hearing.set(address, places.add(hear))
  return () => {
    places.delete(hear)
    if (places.size === 0 && hearing.get(address) === places) hearing.delete(address)
  }
}

let lastTurn = 0
/** The latest request answered per URL: an older response that arrives later is ignored. */
const answeredTurn = new Map<string, number>()

/** Clears all responses: the session changed, and with it the access. */
export const clearQueryCache = (): void => {
  seen.clear()
  clearPreloadedResponses()
}

/** The last response seen, or a preloaded one. */
const seenAt = (call: AnyCall, address: string): unknown => {
  const text = takePreloadedResponse(address)
  const kept = text === undefined || seen.has(address) ? undefined : parseStoredResponse(call, text)
  if (kept !== undefined) seen.set(address, kept)
  return seen.get(address)
}

/** The data after a response: a definite no removes the old data, a failed connection does not. */
const settle = (before: unknown, answer: { ok: true; data: unknown } | CallFailure): Omit<Known, 'address'> => {
  if (answer.ok) return { data: answer.data }
  return isFinalFailure(answer) ? { problem: answer } : { data: before, problem: answer }
}

/**
 * Runs a contract call and keeps its response fresh: requested again when the worker reports a newer one, and by
 * `again()`. A `null` call requests nothing. `given` is plain data, compared by value.
 */
export const useQuery = <Call extends AnyCall>(
  call: Call,
  given: Pick<CallInput<Call>, 'params' | 'query'> | null,
): QueryResult<Infer<Call['answer']>> => {
  const address = given === null ? null : pathOf(call, given.params ?? {}, given.query ?? {})
  const words = given === null ? null : JSON.stringify(given)
  const [known, setKnown] = useState<Known | null>(null)
  const [round, setRound] = useState(0)
  const again = useCallback(() => setRound((before) => before + 1), [])

  useEffect(
    () =>
      onCacheUpdate((changed) => {
        if (address !== null && (changed === null || changed === address)) again()
      }),
    [address, again],
  )

  // Refresh once the network is back, e.g. for changed prices.
  useEffect(() => online.subscribe(() => online.current() && again()), [again])

  useEffect(() => (address === null ? undefined : listenTo(address, setKnown)), [address])

  // biome-ignore lint/correctness/useExhaustiveDependencies(round): a new round requests again
  useEffect(() => {
    if (address === null || words === null) return
    const leaving = new AbortController()
    const asking = async () => {
      lastTurn += 1
      const turn = lastTurn
      const answer = await callApi(call, { ...(JSON.parse(words) as CallInput<Call>), signal: leaving.signal }) // serialized above
      if (leaving.signal.aborted || (answeredTurn.get(address) ?? 0) > turn) return
      answeredTurn.set(address, turn)
      const settled = settle(seen.get(address), answer)
      if (settled.data === undefined) seen.delete(address)
      else seen.set(address, settled.data)
      for (const hear of hearing.get(address) ?? []) hear({ address, ...settled })
    }
    void asking()
    return () => leaving.abort()
  }, [call, address, words, round])

  if (address === null) return { loading: false, refetch: again }
  const current: Known = known?.address === address ? known : { address, data: seenAt(call, address) }
  // The call's struct validated the data before it was cached under this call's URL.
  const data = current.data as Infer<Call['answer']> | undefined
  return {
    data,
    problem: current.problem,
    loading: data === undefined && current.problem === undefined,
    refetch: again,
  }
}
