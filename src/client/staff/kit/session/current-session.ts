import { atom, getDefaultStore, useAtomValue } from 'jotai'
import { navigate } from 'wouter/use-browser-location'
import { refreshTokens } from '#contract/system/auth.ts'
import { randomId } from '#local/outbox/device-stamp.ts'
import { deviceLocks } from '#local/transport/locks.ts'
import { callApi } from '#platform/api/api.ts'
import { urls } from '#platform/urls.ts'
import type { Claims } from './claims.ts'
import { createSession } from './create-session.ts'

/** Claims of the signed-in user; null if signed out. */
export const claimsAtom = atom<Claims | null>(null)

const store = getDefaultStore()

const runExclusively = <Result>(task: () => Promise<Result>): Promise<Result> =>
  deviceLocks.request('fieldproof-sign-in', task)

const redirectToLogin = () => {
  const ret = window.location.pathname + window.location.search
  navigate(urls.login({ ret, expired: true }), { replace: true })
}

/** The session of this device. */
export const session = createSession({
  storage: window.localStorage,
  now: () => Date.now(),
  refresh: (refreshToken, idempotencyKey) => callApi(refreshTokens, { body: { refreshToken }, idempotencyKey }),
  newKey: randomId,
  runExclusively,
  onClaims: (claims) => store.set(claimsAtom, claims),
  onExpired: redirectToLogin,
})
store.set(claimsAtom, session.claims())
// Signing in or out in one tab applies to all tabs.
window.addEventListener('storage', () => store.set(claimsAtom, session.claims()))

/** Whether the user is an administrator of the platform. */
export const useIsAdministrator = (): boolean =>
  useAtomValue(claimsAtom)?.permissions.includes('studio.admin.crud') ?? false

/** Whether the user is an owner of their studio. Administrators have the permissions of owners, and are none. */
export const useIsOwner = (): boolean => {
  const { permissions = [] } = useAtomValue(claimsAtom) ?? {}
  return permissions.includes('studio.users.crud') && !permissions.includes('studio.admin.crud')
}
