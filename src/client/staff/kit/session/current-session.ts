import { atom, getDefaultStore } from 'jotai'
import { navigate } from 'wouter/use-browser-location'
import { logIn, refreshTokens } from '#contract/system/auth.ts'
import { randomId } from '#local/outbox/device-stamp.ts'
import { deviceLocks } from '#local/transport/locks.ts'
import type { CallResult } from '#local/transport/request.ts'
import { callApi } from '#platform/api/api.ts'
import { urls } from '#platform/urls.ts'
import type { Claims } from './claims.ts'
import { createSession } from './create-session.ts'

/** Who is signed in, as the token says; null for nobody. */
export const claimsAtom = atom<Claims | null>(null)

const store = getDefaultStore()

const alone = <Result>(work: () => Promise<Result>): Promise<Result> => deviceLocks.request('fieldproof-sign-in', work)

const expired = () => {
  const ret = window.location.pathname + window.location.search
  navigate(urls.login({ ret, expired: true }), { replace: true })
}

/** This device's session. */
export const session = createSession({
  storage: window.localStorage,
  now: () => Date.now(),
  refresh: (refreshToken, idempotencyKey) => callApi(refreshTokens, { body: { refreshToken }, idempotencyKey }),
  newKey: randomId,
  runExclusively: alone,
  onClaims: (claims) => store.set(claimsAtom, claims),
  onExpired: expired,
})
store.set(claimsAtom, session.claims())
// Who signs in or out in one tab does so in all of them.
window.addEventListener('storage', () => store.set(claimsAtom, session.claims()))

/** Signs in; the failure is the server's own sentence. */
export const signIn = async (username: string, password: string): Promise<CallResult<unknown>> => {
  const answer = await callApi(logIn, { body: { username, password } })
  if (answer.ok) session.keep(answer.data)
  return answer
}
