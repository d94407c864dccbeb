import type { StaffRoute } from '../../staff/staff-route.tsx'
import { entryRoutes } from '../../studio/entry/routes.tsx'
import { shootDayRoutes } from '../../studio/shoot-day/routes.tsx'
import { studiosRoutes } from '../../system/studios/routes.tsx'
import { accountRoutes } from './account-routes.tsx'

/** Every screen of those who sign in, errand by errand; each errand has its own table. */
export const staffTable: readonly StaffRoute[] = [...accountRoutes, ...studiosRoutes, ...shootDayRoutes, ...entryRoutes]
