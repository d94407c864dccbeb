import { type Ask, unreachable } from '../../local/ask.ts'
import { ask } from '../device/ask.ts'
import { session } from '../session/signed-in.ts'

/**
 * A call of somebody who is signed in, with the bearer token (section 7). A token the server no longer takes is refreshed, and the call
 * made once more; where that ended the session, the way to the login is taken already and the answer tells of it.
 */
export const askStaff: Ask = async (call, given = {}) => {
  const token = await session.token()
  if (!token)
    return session.refreshToken()
      ? unreachable
      : { ok: false, status: 401, errors: ['Please log in'], problem: 'not-signed-in' }
  const answer = await ask(call, { ...given, token })
  if (answer.ok || answer.problem !== 'not-signed-in') return answer
  const next = await session.token(token)
  return next ? await ask(call, { ...given, token: next }) : answer
}
