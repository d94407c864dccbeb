import { readJobParams, type StaffRoute, staffRoute } from '#client/staff/kit/routing/staff-route.tsx'
import { jobPatterns } from '#client/staff/kit/routing/staff-urls.ts'
import { idParam } from '#platform/urls.ts'

const feature = { name: 'dataImport', redirectTo: '' }

/** Routes of the data import: the list of imports and one import. */
export const dataImportRoutes: readonly StaffRoute[] = [
  staffRoute({
    area: 'job',
    name: 'job-data-import',
    patterns: jobPatterns('data-import'),
    title: 'Data import',
    feature,
    load: async () => (await import('./imports-screen.tsx')).ImportsScreen,
    read: (input) => ({ job: readJobParams(input) }),
  }),
  staffRoute({
    area: 'job',
    name: 'job-data-import-one',
    patterns: jobPatterns('data-import/:importId'),
    title: 'Data import',
    feature,
    load: async () => (await import('./import-screen.tsx')).ImportScreen,
    read: (input) => ({ job: readJobParams(input), importId: idParam(input, 'importId') }),
  }),
]
