import type { StaffRoute } from '../../staff/staff-route.tsx'
import { organizationsRoutes } from '../../studio/organizations/routes.tsx'
import { profileRoutes } from '../../studio/profile/routes.tsx'
import { settingsRoutes } from '../../studio/settings/routes.tsx'
import { studiosRoutes } from '../../system/studios/routes.tsx'
import { accountRoutes } from './account-routes.tsx'

/** Every screen of those who sign in, errand by errand; each errand has its own table. */
export const staffTable: readonly StaffRoute[] = [
  ...accountRoutes,
  ...studiosRoutes,
  ...profileRoutes,
  ...settingsRoutes,
  ...organizationsRoutes,
]
