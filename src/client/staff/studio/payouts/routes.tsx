import { readStudioParams, type StaffRoute, staffRoute } from '#client/staff/kit/routing/staff-route.tsx'
import { studioPatterns } from '#client/staff/kit/routing/staff-urls.ts'
import { financeStaff } from '#contract/shapes/staff-call.ts'
import { idParam } from '#platform/urls.ts'

const forFinanceStaff = {
  area: 'studio',
  needs: financeStaff.holds,
  feature: { name: 'reports', redirectTo: '' },
} as const

/** Routes of the payouts of the payment provider, and of what differs between it and our ledger. */
export const payoutRoutes: readonly StaffRoute[] = [
  staffRoute({
    ...forFinanceStaff,
    name: 'studioadmin-payouts',
    patterns: studioPatterns('reports/payouts'),
    title: 'Payouts',
    load: async () => (await import('./payouts-screen.tsx')).PayoutsScreen,
    read: readStudioParams,
  }),
  staffRoute({
    ...forFinanceStaff,
    name: 'studioadmin-payment-differences',
    patterns: studioPatterns('reports/payouts/differences'),
    title: 'Differences',
    load: async () => (await import('./payment-differences-screen.tsx')).PaymentDifferencesScreen,
    read: readStudioParams,
  }),
  staffRoute({
    ...forFinanceStaff,
    name: 'studioadmin-payout',
    patterns: studioPatterns('reports/payouts/:payoutId'),
    title: 'Payout',
    load: async () => (await import('./payout-screen.tsx')).PayoutScreen,
    read: (input) => ({ ...readStudioParams(input), payoutId: idParam(input, 'payoutId') }),
  }),
]
