import type { StaffRoute } from '../../staff/staff-route.tsx'
import { dataImportRoutes } from '../../studio/data-import/routes.tsx'
import { entryRoutes } from '../../studio/entry/routes.tsx'
import { greenScreenRoutes } from '../../studio/green-screens/routes.tsx'
import { homeRoutes } from '../../studio/home/routes.tsx'
import { imagesRoutes } from '../../studio/images/routes.tsx'
import { jobEditorRoutes } from '../../studio/job-editor/routes.tsx'
import { jobsRoutes } from '../../studio/jobs/routes.tsx'
import { orderRoutes } from '../../studio/orders/routes.tsx'
import { organizationsRoutes } from '../../studio/organizations/routes.tsx'
import { packageRoutes } from '../../studio/packages/routes.tsx'
import { profileRoutes } from '../../studio/profile/routes.tsx'
import { settingsRoutes } from '../../studio/settings/routes.tsx'
import { shootDayRoutes } from '../../studio/shoot-day/routes.tsx'
import { staffRoutes } from '../../studio/staff/routes.tsx'
import { subjectRoutes } from '../../studio/subjects/routes.tsx'
import { studiosRoutes } from '../../system/studios/routes.tsx'
import { accountRoutes } from './account-routes.tsx'
import { organizationRoutes } from './organization-routes.tsx'

/** Every screen of those who sign in, errand by errand; each errand has its own table. */
export const staffTable: readonly StaffRoute[] = [
  ...accountRoutes,
  ...studiosRoutes,
  ...homeRoutes,
  ...jobsRoutes,
  ...jobEditorRoutes,
  ...profileRoutes,
  ...settingsRoutes,
  ...organizationsRoutes,
  ...organizationRoutes,
  ...packageRoutes,
  ...greenScreenRoutes,
  ...staffRoutes,
  ...shootDayRoutes,
  ...entryRoutes,
  ...orderRoutes,
  ...subjectRoutes,
  ...dataImportRoutes,
  ...imagesRoutes,
]
