import { readJobParams, type StaffRoute, staffRoute } from '#client/staff/kit/routing/staff-route.tsx'
import { jobPatterns } from '#client/staff/kit/routing/staff-urls.ts'
import { idParam, type RouteInput } from '#platform/urls.ts'

const inJob = { area: 'job', read: readJobParams } as const

/** Routes of a job's orders and printouts. */
export const orderRoutes: readonly StaffRoute[] = [
  staffRoute({
    ...inJob,
    name: 'job-orders-prepay',
    patterns: jobPatterns('orders', 'orders/prepay'),
    title: 'Orders',
    load: async () => (await import('./list/job-orders-screen.tsx')).JobOrdersScreen,
  }),
  staffRoute({
    ...inJob,
    name: 'job-orders-batch',
    patterns: jobPatterns('orders/batch'),
    title: 'Batches',
    load: async () => (await import('./batches/batches-screen.tsx')).BatchesScreen,
  }),
  staffRoute({
    area: 'job',
    name: 'job-orders-one-batch',
    patterns: jobPatterns('orders/batch/:batchId'),
    title: 'Batch',
    load: async () => (await import('./batches/batch-screen.tsx')).BatchScreen,
    read: (input: RouteInput) => ({ ...readJobParams(input), batchId: idParam(input, 'batchId') }),
  }),
  staffRoute({
    ...inJob,
    name: 'job-orders-individual',
    patterns: jobPatterns('orders/individual'),
    title: 'Individual orders',
    load: async () => (await import('./list/individual-orders-screen.tsx')).IndividualOrdersScreen,
  }),
  staffRoute({
    ...inJob,
    name: 'job-orders-submitted',
    patterns: jobPatterns('orders/submitted'),
    title: 'Submitted orders',
    load: async () => (await import('./packets/submitted-orders-screen.tsx')).SubmittedOrdersScreen,
  }),
  staffRoute({
    ...inJob,
    name: 'job-camera-cards',
    patterns: jobPatterns('orders/camera-cards'),
    title: 'Camera cards',
    load: async () => (await import('./printouts/camera-cards-screen.tsx')).CameraCardsScreen,
  }),
  staffRoute({
    ...inJob,
    name: 'job-roster',
    patterns: jobPatterns('orders/print'),
    title: 'Roster',
    load: async () => (await import('./printouts/roster-screen.tsx')).RosterScreen,
  }),
  staffRoute({
    area: 'job',
    name: 'job-order',
    patterns: jobPatterns('orders/order/:orderNumber'),
    title: 'Order',
    load: async () => (await import('./order/order-screen.tsx')).OrderScreen,
    read: (input: RouteInput) => ({ ...readJobParams(input), orderNumber: input.params.orderNumber ?? '' }),
  }),
]
