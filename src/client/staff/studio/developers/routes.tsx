import { readStudioParams, type StaffRoute, staffRoute } from '#client/staff/kit/routing/staff-route.tsx'
import { studioPatterns } from '#client/staff/kit/routing/staff-urls.ts'
import { owners } from '#contract/shapes/staff-call.ts'
import { idParam } from '#platform/urls.ts'

const forOwners = { area: 'studio', needs: owners.holds, isForOwners: true } as const

/** Routes for a studio's developers. */
export const developerRoutes: readonly StaffRoute[] = [
  staffRoute({
    ...forOwners,
    name: 'studioadmin-developers',
    patterns: studioPatterns('settings/developers'),
    title: 'Developers',
    load: async () => (await import('./developers-screen.tsx')).DevelopersScreen,
    read: readStudioParams,
  }),
  staffRoute({
    ...forOwners,
    name: 'studioadmin-webhook',
    patterns: studioPatterns('settings/developers/webhooks/:webhookId'),
    title: 'Webhook',
    load: async () => (await import('./webhook-screen.tsx')).WebhookScreen,
    read: (input) => ({ ...readStudioParams(input), webhookId: idParam(input, 'webhookId') }),
  }),
]
