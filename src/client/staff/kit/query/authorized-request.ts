import { isFinalFailure } from '#local/transport/failure-cause.ts'
import { type CallFailure, type RequestFunction, unreachable } from '#local/transport/request.ts'
import { callApi } from '#platform/api/api.ts'
import { session } from '../session/current-session.ts'

const notSignedIn: CallFailure = { ok: false, status: 401, errors: ['Please log in'], problem: 'not-signed-in' }

/**
 * Failure of a call that could not be made without a token. A rejected refresh is reported as retryable: the call itself was not
 * rejected.
 */
const notRenewed = (): CallFailure => {
  const failure = session.failure()
  return failure && !isFinalFailure(failure) ? failure : unreachable
}

/**
 * A call with the bearer token (section 7). If the server rejects the token, it is refreshed and the call retried once. If that ended the
 * session, the redirect to the login has started, and the result is the failure.
 */
export const authorizedRequest: RequestFunction = async (call, options = {}) => {
  const token = await session.token()
  if (!token) return session.refreshToken() ? notRenewed() : notSignedIn
  const answer = await callApi(call, { ...options, token })
  if (answer.ok || answer.problem !== 'not-signed-in') return answer
  const next = await session.token(token)
  return next ? await callApi(call, { ...options, token: next }) : answer
}
