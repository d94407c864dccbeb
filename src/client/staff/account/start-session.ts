import { getOwnPreferences } from '#contract/studio/accounts.ts'
import type { TokenPair } from '#contract/system/auth.ts'
import { urls } from '#platform/urls.ts'
import { askStaff } from '../kit/query/authorized-request.ts'
import { session } from '../kit/session/current-session.ts'
import { wear } from './dark-mode.ts'
import { wayIn } from './return-url.ts'

/** Where a signed-in user goes from the login. */
export const wayInHere = (ret?: string): string => {
  const claims = session.claims()
  return claims ? wayIn(claims, { ret, origin: window.location.origin }) : urls.account()
}

/** This device shows what the person likes, once the server has said what that is. */
export const followPreferences = async (): Promise<void> => {
  const answer = await askStaff(getOwnPreferences)
  if (answer.ok) wear(answer.data)
}

/** Signs this device in with what the server gave; gives where to go from there. */
export const enter = (pair: TokenPair, ret?: string): string => {
  session.keep(pair)
  void followPreferences()
  return wayInHere(ret)
}
