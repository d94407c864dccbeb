import type { TokenPair } from '../../contract/auth.ts'
import { getOwnPreferences } from '../../contract/studio/accounts.ts'
import { session } from '../session/signed-in.ts'
import { urls } from '../shell/urls.ts'
import { askStaff } from '../staff/ask-staff.ts'
import { wear } from './dark-mode.ts'
import { wayIn } from './way-in.ts'

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
