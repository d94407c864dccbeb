import type { StaffRoute } from '#client/staff/kit/routing/staff-route.tsx'
import { dataImportRoutes } from '#client/staff/studio/data-import/routes.tsx'
import { developerRoutes } from '#client/staff/studio/developers/routes.tsx'
import { imagesRoutes } from '#client/staff/studio/images/routes.tsx'
import { jobEditorRoutes } from '#client/staff/studio/job-editor/routes.tsx'
import { jobsRoutes } from '#client/staff/studio/jobs/routes.tsx'
import { orderEntryRoutes } from '#client/staff/studio/order-entry/routes.tsx'
import { orderRoutes } from '#client/staff/studio/orders/routes.tsx'
import { organizationsRoutes } from '#client/staff/studio/organizations/routes.tsx'
import { packageRoutes } from '#client/staff/studio/packages/routes.tsx'
import { payoutRoutes } from '#client/staff/studio/payouts/routes.tsx'
import { promotionRoutes } from '#client/staff/studio/promotions/routes.tsx'
import { settingsRoutes } from '#client/staff/studio/settings/routes.tsx'
import { subjectRoutes } from '#client/staff/studio/subjects/routes.tsx'
import { systemRoutes } from '#client/staff/system/routes.tsx'
import { accountRoutes } from './account-routes.tsx'
import { organizationJobsRoutes } from './organization-jobs-routes.tsx'
import { singleScreenRoutes } from './single-screen-routes.tsx'

/** Every staff route. Each feature defines its own table. */
export const staffRouteTable: readonly StaffRoute[] = [
  ...accountRoutes,
  ...singleScreenRoutes,
  ...jobsRoutes,
  ...jobEditorRoutes,
  ...settingsRoutes,
  ...developerRoutes,
  ...organizationsRoutes,
  ...organizationJobsRoutes,
  ...packageRoutes,
  ...promotionRoutes,
  ...orderEntryRoutes,
  ...orderRoutes,
  ...subjectRoutes,
  ...dataImportRoutes,
  ...imagesRoutes,
  ...payoutRoutes,
  ...systemRoutes,
]
