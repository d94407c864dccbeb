import { useQuery } from '@tanstack/react-query'
import { getDefaultStore } from 'jotai'
import { type Infer, is } from 'superstruct'
import { type AnyCall, pathOf } from '#contract/shapes/call.ts'
import { getOwnPreferences, type UserPreferences } from '#contract/studio/accounts.ts'
import { ignoring } from '#domain/shared/ignoring.ts'
import { retryPolicy } from '#domain/shared/retry-policy.ts'
import { defaultUserPreferences } from '#domain/studio/user-account.ts'
import { loadStoredResponse, storeResponse } from '#local/store/stored-responses.ts'
import type { CallFailure, CallInput } from '#local/transport/request.ts'
import { claimsAtom } from '../session/current-session.ts'
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
  /** Polling interval in milliseconds, for example while a process runs; may depend on the last data. */
  refetchIntervalMs?: number | undefined | ((data: Infer<Call['answer']> | undefined) => number | undefined)
  /** Stores the response on this device, for the offline shoot day of this studio. */
  storeForStudioId?: number | undefined
}

type FetchOptions<Call extends AnyCall> = Pick<CallInput<Call>, 'params' | 'query' | 'signal'> & {
  storeForStudioId: number | undefined
}

const readStoredResponse = async <Call extends AnyCall>(
  call: Call,
  address: string,
): Promise<Infer<Call['answer']> | undefined> => {
  const stored = await ignoring('without a stored response the failed call is shown', () =>
    loadStoredResponse(staffDatabase, address),
  )
  return is(stored, call.answer) ? stored : undefined
}

/** Whether responses for this studio are stored on the device: for its own users. The access of administrators ends, and leaves nothing behind. */
const storesFor = (studioId: number | undefined): boolean =>
  hasStaffDatabase() && getDefaultStore().get(claimsAtom)?.studioId === studioId

/** Fetches from the server. After a temporary failure, returns the response stored on the device if this tab has no data yet. */
const fetchData = async <Call extends AnyCall>(
  call: Call,
  { params = {}, query = {}, signal, storeForStudioId }: FetchOptions<Call>,
  cachedData: unknown,
): Promise<Infer<Call['answer']>> => {
  const answer = await authorizedRequest(call, { params, query, ...(signal && { signal }) })
  const address = pathOf(call, params, query)
  if (answer.ok) {
    if (storeForStudioId !== undefined) {
      const { data } = answer
      const row = { address, studioId: storeForStudioId, data, now: Date.now() }
      void storeResponse(staffDatabase, row).catch(console.warn)
    }
    return answer.data
  }
  const canReadStored = storeForStudioId !== undefined && cachedData === undefined
  if (canReadStored && retryPolicy(answer.status, answer.problem) === 'retry') {
    const stored = await readStoredResponse(call, address)
    if (stored !== undefined) return stored
  }
  throw new QueryError(answer)
}

/** A read call of the contract, cached in this tab. Refetched after every write (`useStaffMutation`) and when the network returns. */
export const useStaffQuery = <Call extends AnyCall>(
  call: Call,
  { params = {}, query = {}, enabled = true, refetchIntervalMs, storeForStudioId }: QueryOptions<Call> = {},
): QueryResult<Infer<Call['answer']>> => {
  // A disabled query may lack the parameters of the path.
  const path = enabled ? pathOf(call, params, {}) : call.path
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: [path, query],
    enabled,
    // Shows the previous page of the same list, never data of another resource.
    placeholderData: (previousData: Infer<Call['answer']> | undefined, previousQuery) =>
      previousQuery?.queryKey[0] === path ? previousData : undefined,
    refetchInterval: ({ state }) =>
      (typeof refetchIntervalMs === 'function' ? refetchIntervalMs(state.data) : refetchIntervalMs) ?? false,
    queryFn: ({ signal, client, queryKey }) =>
      fetchData(
        call,
        { params, query, signal, storeForStudioId: storesFor(storeForStudioId) ? storeForStudioId : undefined },
        client.getQueryData(queryKey),
      ),
  })
  const failure = error instanceof QueryError ? error.failure : undefined
  return {
    data,
    error: failure,
    isFetching,
    isPlaceholder: isPlaceholderData,
    refetch: () => void refetch(),
  }
}

type Preferences = Pick<UserPreferences, 'buildMaximumCropperSize' | 'buildImagesPerRow' | 'useDarkMode'>

/** The user's display preferences (section 3); the defaults until they are loaded. */
export const usePreferences = (): { preferences: Preferences; query: QueryResult<UserPreferences> } => {
  const query = useStaffQuery(getOwnPreferences)
  return { preferences: query.data ?? defaultUserPreferences, query }
}
