import { readStudioParams, type StaffRoute, staffRoute } from '#client/staff/kit/routing/staff-route.tsx'
import { studioPatterns } from '#client/staff/kit/routing/staff-urls.ts'

/** Routes of the studio's settings and package preferences. */
export const settingsRoutes: readonly StaffRoute[] = [
  staffRoute({
    area: 'studio',
    name: 'studioadmin-settings',
    patterns: studioPatterns('settings'),
    title: 'Settings',
    load: async () => (await import('./studio-settings-screen.tsx')).StudioSettingsScreen,
    read: readStudioParams,
  }),
  staffRoute({
    area: 'studio',
    name: 'studioadmin-pkg-prefs',
    patterns: studioPatterns('pkg-prefs'),
    title: 'Package preferences',
    load: async () => (await import('./package-preferences-screen.tsx')).PackagePreferencesScreen,
    read: readStudioParams,
  }),
]
