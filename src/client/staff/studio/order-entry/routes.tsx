import { readJob, type StaffRoute, staffRoute } from '#client/staff/kit/routing/staff-route.tsx'
import { jobPatterns } from '#client/staff/kit/routing/staff-urls.ts'

const feature = { name: 'orderEntry', instead: '' }

/** Orders on paper, keyed in; and their receipts. */
export const entryRoutes: readonly StaffRoute[] = [
  staffRoute({
    area: 'job',
    name: 'job-entry',
    patterns: jobPatterns('entry'),
    title: 'Entry',
    feature,
    load: async () => (await import('./order-entry-screen.tsx')).EntryScreen,
    read: readJob,
  }),
  staffRoute({
    area: 'job',
    name: 'job-entry-receipt',
    patterns: jobPatterns('entry/:orderNumber'),
    title: 'Receipt',
    feature,
    load: async () => (await import('./receipt-screen.tsx')).ReceiptScreen,
    read: (found) => ({ ...readJob(found), orderNumber: found.params.orderNumber ?? '' }),
  }),
]
