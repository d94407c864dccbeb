import { urls } from '#platform/urls.ts'
import type { Claims } from '../session/claims.ts'
import { staffUrls } from './staff-urls.ts'

/** Where somebody belongs who may not be where they are: their studio's start, or their account where they have none. */
export const staffHomeUrl = ({ studioId, permissions }: Claims): string => {
  if (studioId !== null) return staffUrls.studio(studioId)
  return permissions.includes('studio.admin.crud') ? staffUrls.admin() : urls.account()
}

/** Where else in their studio somebody may go who may not see its start: its staff; nowhere for whoever may not see that. */
export const staffFallbackUrl = ({ studioId, permissions }: Claims): string | undefined =>
  studioId !== null && permissions.includes('studio.users.crud')
    ? staffUrls.studio(studioId, 'settings/staff')
    : undefined
