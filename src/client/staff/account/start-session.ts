import { atom, getDefaultStore } from 'jotai'
import { getOwnPreferences, type UserPreferences } from '#contract/studio/accounts.ts'
import type { SignInAnswer, SignInStep, TokenPair } from '#contract/system/auth.ts'
import { urls } from '#platform/urls.ts'
import { chooseTheme, currentTheme } from '#ui/theme/theme.ts'
import { authorizedRequest } from '../kit/query/authorized-request.ts'
import { returnUrl } from '../kit/routing/staff-home-url.ts'
import { session } from '../kit/session/current-session.ts'

/**
 * Applies the user's dark mode, which is saved for all devices of the user. Without it, each device stores its own choice between the
 * light and the system theme.
 */
export const applyDarkMode = ({ useDarkMode }: Pick<UserPreferences, 'useDarkMode'>): void => {
  if (useDarkMode) chooseTheme('dark')
  else if (currentTheme() === 'dark') chooseTheme('system')
}

/** The address that a signed-in user is sent to from the login. */
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
export const startSession = (tokens: TokenPair, ret?: string): string => {
  session.store(tokens)
  void applyPreferences()
  return currentReturnUrl(ret)
}

/** The step that a sign-in still needs after the password. It is not stored: after a reload the user logs in again. */
export const signInStepAtom = atom<SignInStep | null>(null)

/** Continues after the password, with the tokens or the missing step. Returns the address to continue to. */
export const continueSignIn = (answer: SignInAnswer, ret?: string): string => {
  if ('token' in answer) return startSession(answer, ret)
  getDefaultStore().set(signInStepAtom, answer)
  return urls.login({ ret })
}
