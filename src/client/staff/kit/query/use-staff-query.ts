import { useQuery } from '@tanstack/react-query'
import { type Infer, is } from 'superstruct'
import { type AnyCall, pathOf } from '#contract/shapes/call.ts'
import { retryPolicy } from '#domain/shared/retry-policy.ts'
import { loadStoredResponse, storeResponse } from '#local/store/stored-responses.ts'
import type { CallFailure, CallInput } from '#local/transport/request.ts'
import { authorizedRequest } from './authorized-request.ts'
import { hasStaffDatabase, staffDatabase } from './staff-sender.ts'

/** A failed answer, as the query library wants it: thrown. */
class NotAnswered extends Error {
  readonly failed: CallFailure

  constructor(failed: CallFailure) {
    super(failed.errors.join('\n'))
    this.failed = failed
  }
}

export type QueryResult<Data> = {
  /** The last answer there was; what a list shows until its next page is there. */
  data: Data | undefined
  /** Why there is no newer one; what was answered before stands beside it. */
  error: CallFailure | undefined
  /** Something is being asked, whatever is shown meanwhile. */
  isFetching: boolean
  /** What is shown was answered to another question (an earlier page, an earlier filter). */
  isPlaceholder: boolean
  refetch: () => void
}

type QueryOptions<Asked extends AnyCall> = Pick<CallInput<Asked>, 'params' | 'query'> & {
  /** False asks nothing yet. */
  enabled?: boolean
  /** Milliseconds after which it is asked again by itself, while something long goes on. */
  refetchIntervalMs?: number | undefined
  /** The studio whose shoot day needs this answer without a network: it is stored on the device. */
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

/** Asks the server; where it cannot be reached and this tab has no answer yet, takes the one stored on the device. */
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

/** A read of the contract, kept for this tab; asked again after every change that staff make (`useChange`), and as the network returns. */
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
  // Without its parameters a call has no path yet.
  const path = when ? pathOf(call, params, {}) : call.path
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: [path, query],
    enabled: when,
    // An earlier page of the same list; never an earlier thing in the place of another.
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
