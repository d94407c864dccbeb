import { staffHomeUrl } from '../kit/routing/staff-home-url.ts'
import type { Claims } from '../kit/session/claims.ts'

const signInPages = /^\/(?:account\/)?(?:login|logout)\/?$/i

/** The path to return to after signing in. Undefined for other origins and for the pages that sign in or out. */
const returnPath = (ret: string | undefined, origin: string): string | undefined => {
  if (!ret?.startsWith('/') || !URL.canParse(ret, origin)) return undefined
  const url = new URL(ret, origin)
  if (url.origin !== origin || signInPages.test(url.pathname)) return undefined
  return url.pathname + url.search + url.hash
}

/** Where a signed-in user goes from the login: the requested address, or else their home screen. */
export const returnUrl = (claims: Claims, { ret, origin }: { ret: string | undefined; origin: string }): string =>
  returnPath(ret, origin) ?? staffHomeUrl(claims)
