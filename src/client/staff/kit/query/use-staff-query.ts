import { useQuery } from '@tanstack/react-query'
import { type Infer, is } from 'superstruct'
import { type AnyCall, pathOf } from '#contract/shapes/call.ts'
import { retryPolicy } from '#domain/shared/retry-policy.ts'
import { loadStoredResponse, storeResponse } from '#local/store/stored-responses.ts'
import type { CallFailure, CallInput } from '#local/transport/request.ts'
import { authorizedRequest } from './authorized-request.ts'
import { hasStaffDatabase, staffDatabase } from './staff-sender.ts'

/** Wraps a failed result as an error, because the query library expects a thrown one. */
class QueryError extends Error {
  readonly failure: CallFailure

  constructor(failure: CallFailure) {
    super(failure.errors.join('\n'))
    this.failure = failure
  }
}

export type QueryResult<Data> = {
  /** The last data, including the previous page while the next one loads. */
  data: Data | undefined
  /** Why the last fetch failed. `data` may still hold an older response. */
  error: CallFailure | undefined
  /** A fetch is running, whether or not data is shown. */
  isFetching: boolean
  /** The data belongs to an earlier query (another page or filter). */
  isPlaceholder: boolean
  refetch: () => void
}

type QueryOptions<Call extends AnyCall> = Pick<CallInput<Call>, 'params' | 'query'> & {
  /** False prevents the fetch. */
  enabled?: boolean
  /** Polling interval in milliseconds, for example while a process runs. */
  refetchIntervalMs?: number | undefined
  /** The studio whose shoot day needs this response offline: it is stored on the device. */
  storeForStudioId?: number | undefined
}

type FetchOptions<Call extends AnyCall> = Pick<CallInput<Call>, 'params' | 'query' | 'signal'> & {
  storeFor: number | undefined
}

const readStoredResponse = async <Call extends AnyCall>(
  call: Call,
  address: string,
): Promise<Infer<Call['answer']> | undefined> => {
  const stored = await loadStoredResponse(staffDatabase, address).catch(() => undefined)
  return is(stored, call.answer) ? stored : undefined
}

/** Fetches from the server. If it cannot be reached and this tab has no data yet, returns the response stored on the device. */
const read = async <Call extends AnyCall>(
  call: Call,
  { params = {}, query = {}, signal, storeFor }: FetchOptions<Call>,
  known: unknown,
): Promise<Infer<Call['answer']>> => {
  const answer = await authorizedRequest(call, { params, query, ...(signal && { signal }) })
  const address = pathOf(call, params, query)
  if (answer.ok) {
    if (storeFor !== undefined) {
      const { data } = answer
      void storeResponse(staffDatabase, { address, studioId: storeFor, data, now: Date.now() }).catch(console.warn)
    }
    return answer.data
  }
  if (storeFor !== undefined && known === undefined && retryPolicy(answer.status, answer.problem) === 'retry') {
    const stored = await readStoredResponse(call, address)
    if (stored !== undefined) return stored
  }
  throw new QueryError(answer)
}

/** A read call of the contract, cached in this tab. Refetched after every write (`useStaffMutation`) and when the network returns. */
export const useStaffQuery = <Call extends AnyCall>(
  call: Call,
  {
    params = {},
    query = {},
    enabled: when = true,
    refetchIntervalMs: everyMs,
    storeForStudioId: storeFor,
  }: QueryOptions<Call> = {},
): QueryResult<Infer<Call['answer']>> => {
  // Without its parameters a call has no path.
  const path = when ? pathOf(call, params, {}) : call.path
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: [path, query],
    enabled: when,
    // Shows the previous page of the same list, never data of another resource.
    placeholderData: (before: Infer<Call['answer']> | undefined, asked) =>
      asked?.queryKey[0] === path ? before : undefined,
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
    queryFn: ({ signal, client, queryKey }) =>
      read(
        call,
        { params, query, signal, storeFor: hasStaffDatabase() ? storeFor : undefined },
        client.getQueryData(queryKey),
      ),
  })
  const failure = error instanceof QueryError ? error.failure : undefined
  return {
    data,
    error: failure,
    isFetching: isFetching,
    isPlaceholder: isPlaceholderData,
    refetch: () => void refetch(),
  }
}
