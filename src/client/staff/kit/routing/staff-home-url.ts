import { urls } from '#platform/urls.ts'
import type { Claims } from '../session/claims.ts'
import { staffUrls } from './staff-urls.ts'

/** Home screen of a user: their studio, or their account if they have none. */
export const staffHomeUrl = ({ studioId, permissions }: Claims): string => {
  if (studioId !== null) return staffUrls.studio(studioId)
  return permissions.includes('studio.admin.crud') ? staffUrls.admin() : urls.account()
}

/** Where users go who may not see their studio's home: its staff list. Undefined if they may not see that either. */
export const staffFallbackUrl = ({ studioId, permissions }: Claims): string | undefined =>
  studioId !== null && permissions.includes('studio.users.crud')
    ? staffUrls.studio(studioId, 'settings/staff')
    : undefined
