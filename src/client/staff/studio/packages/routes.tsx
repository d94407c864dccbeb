import { readJobParams, readStudioParams, type StaffRoute, staffRoute } from '#client/staff/kit/routing/staff-route.tsx'
import { jobPatterns, studioPatterns } from '#client/staff/kit/routing/staff-urls.ts'
import { idParam, type RouteInput, textParam } from '#platform/urls.ts'

const readSet = (input: RouteInput) => ({ ...readStudioParams(input), packageSetId: idParam(input, 'packageSetId') })
const readJobsSet = (input: RouteInput) => ({ ...readSet(input), job: readJobParams(input) })
const packageIn = (input: RouteInput): { packageId: number | 'new' } => ({
  packageId: textParam(input, 'packageId') === 'new' ? 'new' : idParam(input, 'packageId'),
})

const loadSet = async () => (await import('./sets/package-set-screen.tsx')).PackageSetScreen
const loadEditor = async () => (await import('./editor/package-screen.tsx')).PackageScreen

/** Routes of the studio's packages and package sets, and of those a job offers. */
export const packageRoutes: readonly StaffRoute[] = [
  staffRoute({
    area: 'studio',
    name: 'package-sets',
    patterns: studioPatterns('pkg-set-mgmt'),
    title: 'Package sets',
    load: async () => (await import('./sets/package-sets-screen.tsx')).PackageSetsScreen,
    read: readStudioParams,
  }),
  staffRoute({
    area: 'studio',
    name: 'package-set',
    patterns: studioPatterns('pkg-set-mgmt/:packageSetId/packages'),
    title: 'Package set',
    load: loadSet,
    read: readSet,
  }),
  staffRoute({
    area: 'studio',
    name: 'package',
    patterns: studioPatterns('pkg-set-mgmt/:packageSetId/packages/:packageId'),
    title: 'Package',
    load: loadEditor,
    read: (input) => ({ ...readSet(input), ...packageIn(input) }),
  }),
  staffRoute({
    area: 'studio',
    name: 'studio-packages',
    patterns: studioPatterns('packages'),
    title: 'Packages',
    load: async () => (await import('./studio-packages-screen.tsx')).StudioPackagesScreen,
    read: readStudioParams,
  }),
  staffRoute({
    area: 'job',
    name: 'job-packages',
    patterns: jobPatterns('packages', 'packages/listing'),
    title: 'Packages',
    load: async () => (await import('./job-packages-screen.tsx')).JobPackagesScreen,
    read: readJobParams,
  }),
  staffRoute({
    area: 'job',
    name: 'job-package-set',
    patterns: jobPatterns('package-sets/:packageSetId'),
    title: 'Package set',
    load: loadSet,
    read: readJobsSet,
  }),
  staffRoute({
    area: 'job',
    name: 'job-package',
    patterns: jobPatterns('package-sets/:packageSetId/packages/:packageId'),
    title: 'Package',
    load: loadEditor,
    read: (input) => ({ ...readJobsSet(input), ...packageIn(input) }),
  }),
]
