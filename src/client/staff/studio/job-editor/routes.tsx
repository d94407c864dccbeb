import { readJobParams, type StaffRoute, staffRoute } from '#client/staff/kit/routing/staff-route.tsx'
import { jobPatterns } from '#client/staff/kit/routing/staff-urls.ts'

const inJob = { area: 'job', read: readJobParams } as const

/** Routes of the job editor: overview, settings and workflow. */
export const jobEditorRoutes: readonly StaffRoute[] = [
  staffRoute({
    ...inJob,
    name: 'job-overview',
    patterns: jobPatterns('', 'overview'),
    title: 'Overview',
    load: async () => (await import('./job-overview-screen.tsx')).JobOverviewScreen,
  }),
  staffRoute({
    ...inJob,
    name: 'job-settings-general',
    patterns: jobPatterns('settings', 'settings/general', 'settings/general-settings'),
    title: 'General settings',
    load: async () => (await import('./general-settings-screen.tsx')).GeneralSettingsScreen,
  }),
  staffRoute({
    ...inJob,
    name: 'job-settings-standard',
    patterns: jobPatterns('settings/standard'),
    title: 'Order services',
    load: async () => (await import('./order-services-settings-screen.tsx')).OrderServicesSettingsScreen,
  }),
  staffRoute({
    ...inJob,
    name: 'job-settings-preorder',
    patterns: jobPatterns('settings/preorder'),
    title: 'Preorder settings',
    load: async () => (await import('./preorder-settings-screen.tsx')).PreorderSettingsScreen,
  }),
  staffRoute({
    ...inJob,
    name: 'job-settings-prefields',
    patterns: jobPatterns('settings/prefields'),
    title: 'Preorder fields',
    load: async () => (await import('./prefields-screen.tsx')).PrefieldsScreen,
  }),
  staffRoute({
    ...inJob,
    name: 'job-settings-gallery',
    patterns: jobPatterns('settings/gallery'),
    title: 'Gallery settings',
    isForVerified: true,
    load: async () => (await import('./gallery-settings-screen.tsx')).GallerySettingsScreen,
  }),
  staffRoute({
    ...inJob,
    name: 'job-workflows',
    patterns: jobPatterns('workflows'),
    title: 'Workflows',
    feature: { name: 'workflows', redirectTo: 'overview' },
    load: async () => (await import('./workflows-screen.tsx')).WorkflowsScreen,
  }),
]
