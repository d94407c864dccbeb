import { useQuery } from '@tanstack/react-query'
import { type Infer, is } from 'superstruct'
import { type AnyCall, pathOf } from '#contract/shapes/call.ts'
import { retryPolicy } from '#domain/shared/retry-policy.ts'
import { loadStoredResponse, storeResponse } from '#local/store/stored-responses.ts'
import type { CallFailure, CallInput } from '#local/transport/request.ts'
import { authorizedRequest } from './authorized-request.ts'
import { hasStaffDatabase, staffDatabase } from './staff-sender.ts'

/** Wraps a failed result as an error, because the query library expects a thrown one. */
class NotAnswered extends Error {
  readonly failed: CallFailure

  constructor(failed: CallFailure) {
    super(failed.errors.join('\n'))
    this.failed = failed
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

type QueryOptions<Asked extends AnyCall> = Pick<CallInput<Asked>, 'params' | 'query'> & {
  /** False prevents the fetch. */
  enabled?: boolean
  /** Polling interval in milliseconds, for example while a process runs. */
  refetchIntervalMs?: number | undefined
  /** The studio whose shoot day needs this response offline: it is stored on the device. */
  storeForStudioId?: number | undefined
}

type FetchOptions<Asked extends AnyCall> = Pick<CallInput<Asked>, 'params' | 'query' | 'signal'> & {
  storeFor: number | undefined
}

const readStoredResponse = async <Asked extends AnyCall>(
  call: Asked,
  address: string,
): Promise<Infer<Asked['answer']> | undefined> => {
  const stored = await loadStoredResponse(staffDatabase, address).catch(() => undefined)
  return is(stored, call.answer) ? stored : undefined
}

/** Fetches from the server. If it cannot be reached and this tab has no data yet, returns the response stored on the device. */
const read = async <Asked extends AnyCall>(
  call: Asked,
  { params = {}, query = {}, signal, storeFor }: FetchOptions<Asked>,
  known: unknown,
): Promise<Infer<Asked['answer']>> => {
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
  throw new NotAnswered(answer)
}

/** A read call of the contract, cached in this tab. Refetched after every write (`useStaffMutation`) and when the network returns. */
export const useStaffQuery = <Asked extends AnyCall>(
  call: Asked,
  {
    params = {},
    query = {},
    enabled: when = true,
    refetchIntervalMs: everyMs,
    storeForStudioId: storeFor,
  }: QueryOptions<Asked> = {},
): QueryResult<Infer<Asked['answer']>> => {
  // Without its parameters a call has no path.
  const path = when ? pathOf(call, params, {}) : call.path
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: [path, query],
    enabled: when,
    // Shows the previous page of the same list, never data of another resource.
    placeholderData: (before: Infer<Asked['answer']> | undefined, asked) =>
      asked?.queryKey[0] === path ? before : undefined,
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
    queryFn: ({ signal, client, queryKey }) =>
      read(
        call,
        { params, query, signal, storeFor: hasStaffDatabase() ? storeFor : undefined },
        client.getQueryData(queryKey),
      ),
  })
  const failed = error instanceof NotAnswered ? error.failed : undefined
  return {
    data,
    error: failed,
    isFetching: isFetching,
    isPlaceholder: isPlaceholderData,
    refetch: () => void refetch(),
  }
}
