import type { StaffRoute } from '../../staff/staff-route.tsx'
import { entryRoutes } from '../../studio/entry/routes.tsx'
import { greenScreenRoutes } from '../../studio/green-screens/routes.tsx'
import { packageRoutes } from '../../studio/packages/routes.tsx'
import { shootDayRoutes } from '../../studio/shoot-day/routes.tsx'
import { staffRoutes } from '../../studio/staff/routes.tsx'
import { studiosRoutes } from '../../system/studios/routes.tsx'
import { accountRoutes } from './account-routes.tsx'

/** Every screen of those who sign in, errand by errand; each errand has its own table. */
export const staffTable: readonly StaffRoute[] = [
  ...accountRoutes,
  ...packageRoutes,
  ...greenScreenRoutes,
  ...staffRoutes,
  ...shootDayRoutes,
  ...entryRoutes,
  ...studiosRoutes,
]
