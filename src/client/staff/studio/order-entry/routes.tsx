import { readJobParams, type StaffRoute, staffRoute } from '#client/staff/kit/routing/staff-route.tsx'
import { jobPatterns } from '#client/staff/kit/routing/staff-urls.ts'

const feature = { name: 'orderEntry', redirectTo: '' }

/** Routes of the order entry and its receipts. */
export const orderEntryRoutes: readonly StaffRoute[] = [
  staffRoute({
    area: 'job',
    name: 'job-entry',
    patterns: jobPatterns('entry'),
    title: 'Entry',
    feature,
    load: async () => (await import('./order-entry-screen.tsx')).OrderEntryScreen,
    read: readJobParams,
  }),
  staffRoute({
    area: 'job',
    name: 'job-entry-receipt',
    patterns: jobPatterns('entry/:orderNumber'),
    title: 'Receipt',
    feature,
    load: async () => (await import('./receipt-screen.tsx')).ReceiptScreen,
    read: (input) => ({ ...readJobParams(input), orderNumber: input.params.orderNumber ?? '' }),
  }),
]
