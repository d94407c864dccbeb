import { staffHomeUrl } from '../kit/routing/staff-home-url.ts'
import type { Claims } from '../kit/session/claims.ts'

const signInPages = /^\/(?:account\/)?(?:login|logout)\/?$/i

/** A path of this origin to return to after signing in; undefined for other origins and for the pages that sign in or out. */
const returnPath = (ret: string | undefined, origin: string): string | undefined => {
  if (!ret?.startsWith('/') || !URL.canParse(ret, origin)) return undefined
  const url = new URL(ret, origin)
  if (url.origin !== origin || signInPages.test(url.pathname)) return undefined
  return url.pathname + url.search + url.hash
}

/** Where somebody who is signed in goes from the login: where they wanted to, or else where they work. */
export const returnUrl = (claims: Claims, { ret, origin }: { ret: string | undefined; origin: string }): string =>
  returnPath(ret, origin) ?? staffHomeUrl(claims)
