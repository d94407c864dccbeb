import { urls } from '#platform/urls.ts'
import type { Claims } from '../session/claims.ts'
import { staffUrls } from './staff-urls.ts'

const signInPages = /^\/(?:account\/)?(?:login|logout)\/?$/i

/** The path to return to after signing in. Undefined for other origins and for the pages that sign in or out. */
const returnPath = (ret: string | undefined, origin: string): string | undefined => {
  if (!ret?.startsWith('/') || !URL.canParse(ret, origin)) return undefined
  const url = new URL(ret, origin)
  if (url.origin !== origin || signInPages.test(url.pathname)) return undefined
  return url.pathname + url.search + url.hash
}

/** The address that a signed-in user is sent to from the login: the requested one, or else their home screen. */
export const returnUrl = (claims: Claims, { ret, origin }: { ret: string | undefined; origin: string }): string =>
  returnPath(ret, origin) ?? staffHomeUrl(claims)

/** Home screen of a user: their studio. Without one, the platform's home for administrators, and the account for other users. */
export const staffHomeUrl = ({ studioId, permissions }: Claims): string => {
  if (studioId !== null) return staffUrls.studio(studioId)
  return permissions.includes('studio.admin.crud') ? staffUrls.admin() : urls.account()
}

/** The staff list, for users who may not see their studio's home. Undefined if they may not see the staff list either. */
export const staffFallbackUrl = ({ studioId, permissions }: Claims): string | undefined =>
  studioId !== null && permissions.includes('studio.users.crud')
    ? staffUrls.studio(studioId, 'settings/staff')
    : undefined
