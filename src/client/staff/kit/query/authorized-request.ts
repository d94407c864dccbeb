import { isFinalFailure } from '#local/transport/failure-cause.ts'
import { type CallFailure, type RequestFunction, unreachable } from '#local/transport/request.ts'
import { callApi } from '#platform/api/api.ts'
import { session } from '../session/current-session.ts'

const notSignedIn: CallFailure = { ok: false, status: 401, errors: ['Please log in'], problem: 'not-signed-in' }

/** What is said of a call that could not be made for want of a token. A no to the refresh is none to the call, which may be made later. */
const notRenewed = (): CallFailure => {
  const failure = session.failure()
  return failure && !isFinalFailure(failure) ? failure : unreachable
}

/**
 * A call of somebody who is signed in, with the bearer token (section 7). A token the server no longer takes is refreshed, and the call
 * made once more; where that ended the session, the way to the login is taken already and the answer tells of it.
 */
export const authorizedRequest: RequestFunction = async (call, given = {}) => {
  const token = await session.token()
  if (!token) return session.refreshToken() ? notRenewed() : notSignedIn
  const answer = await callApi(call, { ...given, token })
  if (answer.ok || answer.problem !== 'not-signed-in') return answer
  const next = await session.token(token)
  return next ? await callApi(call, { ...given, token: next }) : answer
}
