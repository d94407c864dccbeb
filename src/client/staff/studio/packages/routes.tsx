import { readJobParams, readStudioParams, type StaffRoute, staffRoute } from '#client/staff/kit/routing/staff-route.tsx'
import { jobPatterns, studioPatterns } from '#client/staff/kit/routing/staff-urls.ts'
import { idParam, type RouteInput, textParam } from '#platform/urls.ts'

const readPackageSetParams = (input: RouteInput) => ({
  ...readStudioParams(input),
  packageSetId: idParam(input, 'packageSetId'),
})
const readJobPackageSetParams = (input: RouteInput) => ({ ...readPackageSetParams(input), job: readJobParams(input) })
const readPackageId = (input: RouteInput): { packageId: number | 'new' } => ({
  packageId: textParam(input, 'packageId') === 'new' ? 'new' : idParam(input, 'packageId'),
})

const loadPackageSetScreen = async () => (await import('./sets/package-set-screen.tsx')).PackageSetScreen
const loadPackageScreen = async () => (await import('./editor/package-screen.tsx')).PackageScreen

/** Routes of the studio's packages and package sets, and of the packages and package set that a job offers. */
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
    load: loadPackageSetScreen,
    read: readPackageSetParams,
  }),
  staffRoute({
    area: 'studio',
    name: 'package',
    patterns: studioPatterns('pkg-set-mgmt/:packageSetId/packages/:packageId'),
    title: 'Package',
    load: loadPackageScreen,
    read: (input) => ({ ...readPackageSetParams(input), ...readPackageId(input) }),
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
    load: loadPackageSetScreen,
    read: readJobPackageSetParams,
  }),
  staffRoute({
    area: 'job',
    name: 'job-package',
    patterns: jobPatterns('package-sets/:packageSetId/packages/:packageId'),
    title: 'Package',
    load: loadPackageScreen,
    read: (input) => ({ ...readJobPackageSetParams(input), ...readPackageId(input) }),
  }),
]
