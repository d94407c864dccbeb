import { getOwnPreferences } from '#contract/studio/accounts.ts'
import type { TokenPair } from '#contract/system/auth.ts'
import { urls } from '#platform/urls.ts'
import { authorizedRequest } from '../kit/query/authorized-request.ts'
import { session } from '../kit/session/current-session.ts'
import { applyDarkMode } from './dark-mode.ts'
import { returnUrl } from './return-url.ts'

/** Where a signed-in user goes from the login. */
export const currentReturnUrl = (ret?: string): string => {
  const claims = session.claims()
  return claims ? returnUrl(claims, { ret, origin: window.location.origin }) : urls.account()
}

/** Applies the user's preferences to this device once they are loaded. */
export const applyPreferences = async (): Promise<void> => {
  const answer = await authorizedRequest(getOwnPreferences)
  if (answer.ok) applyDarkMode(answer.data)
}

/** Stores the tokens and returns the address to continue to. */
export const startSession = (pair: TokenPair, ret?: string): string => {
  session.keep(pair)
  void applyPreferences()
  return currentReturnUrl(ret)
}
