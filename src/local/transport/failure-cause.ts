/** Why a call failed, as far as the person in front of the screen is concerned. */
export type FailureCause = 'offline' | 'unreachable' | 'too-many-tries' | 'our-fault' | 'not-there' | 'refused'

/** False only where the browser knows that there is no network. */
const hasNetwork = (): boolean => globalThis.navigator?.onLine !== false

/** The cause behind a status. A success that could not be read came from something on the way, not from the server. */
export const failureCauseOf = ({ status }: { status: number | 'unreachable' }): FailureCause => {
  if (status === 'unreachable' || status < 400 || status === 408) return hasNetwork() ? 'unreachable' : 'offline'
  if (status === 429) return 'too-many-tries'
  if (status >= 500 || status === 425) return 'our-fault'
  return status === 404 ? 'not-there' : 'refused'
}

/** Whether the server itself said no, so that the same request would be refused again. */
export const isFinalFailure = (failed: { status: number | 'unreachable' }): boolean =>
  ['not-there', 'refused'].includes(failureCauseOf(failed))

const wait = (seconds = 0): string => {
  if (seconds > 90) return `${Math.ceil(seconds / 60)} minutes`
  if (seconds > 1) return `${seconds} seconds`
  return 'a moment'
}

export const noAnswerMessage = 'There was no answer. Your connection may be slow. Please try again in a moment'

const messages: Partial<Record<FailureCause, string>> = {
  offline: 'There is no connection right now. Please try again in a moment',
  unreachable: noAnswerMessage,
  'our-fault': 'Something went wrong on our side. Please try again in a moment',
}

type FailureInfo = { status: number | 'unreachable'; retryAfterSeconds?: number | undefined }

/** What to say about a failure that the server did not explain; undefined where only the server can. */
export const failureMessage = (failed: FailureInfo): string | undefined =>
  failed.status === 429
    ? `Too many tries. Please wait ${wait(failed.retryAfterSeconds)} and try again`
    : messages[failureCauseOf(failed)]
