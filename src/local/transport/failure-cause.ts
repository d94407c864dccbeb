/** Why a call failed, as shown to the customer. */
export type FailureCause = 'offline' | 'unreachable' | 'rate-limited' | 'server-error' | 'not-found' | 'refused'

/** False only where the browser knows that there is no network. */
const hasNetwork = (): boolean => globalThis.navigator?.onLine !== false

/**
 * The cause behind a status. A success that cannot be parsed came from a proxy or a sign-in page, not from the server.
 */
export const failureCauseOf = ({ status }: { status: number | 'unreachable' }): FailureCause => {
  if (status === 'unreachable' || status < 400 || status === 408) return hasNetwork() ? 'unreachable' : 'offline'
  if (status === 429) return 'rate-limited'
  if (status >= 500 || status === 425) return 'server-error'
  return status === 404 ? 'not-found' : 'refused'
}

/** Whether the server itself rejected the request, and would reject it again. */
export const isFinalFailure = (failure: { status: number | 'unreachable' }): boolean =>
  ['not-found', 'refused'].includes(failureCauseOf(failure))

const waitText = (seconds = 0): string => {
  if (seconds > 90) return `${Math.ceil(seconds / 60)} minutes`
  if (seconds > 1) return `${seconds} seconds`
  return 'a moment'
}

export const noAnswerMessage = 'There was no answer. Your connection may be slow. Please try again in a moment'

const messages: Partial<Record<FailureCause, string>> = {
  offline: 'There is no connection right now. Please try again in a moment',
  unreachable: noAnswerMessage,
  'server-error': 'Something went wrong on our side. Please try again in a moment',
}

type FailureInfo = { status: number | 'unreachable'; retryAfterSeconds?: number | undefined }

/** The message for a failure that the server did not explain; undefined if only the server can explain it. */
export const failureMessage = (failure: FailureInfo): string | undefined =>
  failure.status === 429
    ? `Too many tries. Please wait ${waitText(failure.retryAfterSeconds)} and try again`
    : messages[failureCauseOf(failure)]

/** The message for code that did not load, or a call without a response. */
export const unreachableMessage = (): string => failureMessage({ status: 'unreachable' }) ?? noAnswerMessage

/** Message for a studio that does not load, or takes no orders here (sections 5 and 8). */
export const studioNotLoaded = 'There was an error loading the studio'
