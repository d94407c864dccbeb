import { isFinalFailure } from '#local/transport/failure-cause.ts'
import { type CallFailure, type RequestFunction, unreachable } from '#local/transport/request.ts'
import { callApi } from '#platform/api/api.ts'
import { session } from '../session/current-session.ts'

const notSignedIn: CallFailure = { ok: false, status: 401, errors: ['Please log in'], problem: 'not-signed-in' }

/**
 * Failure of a call that was not made because the token could not be refreshed. A rejected refresh is reported as retryable, because the
 * call itself was not rejected.
 */
const refreshFailure = (): CallFailure => {
  const failure = session.failure()
  return failure && !isFinalFailure(failure) ? failure : unreachable
}

/**
 * Sends a request with the bearer token (section 7). If the server rejects the token, it is refreshed and the request is sent again, once. If
 * the refresh ends the session, the result is the rejected answer, and the redirect to the login has already started.
 */
export const sendAuthorized = async <Answer>(
  send: (token: string) => Promise<Answer>,
  isTokenRejected: (answer: Answer) => boolean,
): Promise<Answer | CallFailure> => {
  const token = await session.token()
  if (!token) return session.refreshToken() ? refreshFailure() : notSignedIn
  const answer = await send(token)
  if (!isTokenRejected(answer)) return answer
  const refreshedToken = await session.token(token)
  return refreshedToken ? await send(refreshedToken) : answer
}

const accessListeners = new Set<() => void>()

/** Calls the listener when a call is refused because an administrator has no access to the studio. Returns a function that unsubscribes. */
export const onSupportAccessNeeded = (listener: () => void): (() => void) => {
  accessListeners.add(listener)
  return () => accessListeners.delete(listener)
}

/** Makes a call of the contract with the bearer token, by `sendAuthorized`. */
export const authorizedRequest: RequestFunction = async (call, options = {}) => {
  const result = await sendAuthorized(
    (token) => callApi(call, { ...options, token }),
    (answer) => !answer.ok && answer.problem === 'not-signed-in',
  )
  if (!result.ok && result.problem === 'support-access-needed') for (const listener of accessListeners) listener()
  return result
}
