import { readNoParams, type StaffRoute, staffRoute } from '#client/staff/kit/routing/staff-route.tsx'
import { idParam, textParam } from '#platform/urls.ts'

/** Routes of the platform's administrators. */
export const systemRoutes: readonly StaffRoute[] = [
  // Also the home screen of administrators.
  staffRoute({
    area: 'system',
    name: 'system-studios',
    patterns: ['/admin', '/admin/home', '/admin/studios'],
    title: 'Studios',
    load: async () => (await import('./studios/studios-screen.tsx')).StudiosScreen,
    read: readNoParams,
  }),
  staffRoute({
    area: 'system',
    name: 'system-reports',
    patterns: ['/admin/reports'],
    title: 'Reports',
    load: async () => (await import('./reports/platform-reports-screen.tsx')).PlatformReportsScreen,
    read: readNoParams,
  }),
  staffRoute({
    area: 'system',
    name: 'system-order-services',
    patterns: ['/admin/system/order-services'],
    title: 'Order services',
    load: async () => (await import('./order-services/order-services-screen.tsx')).OrderServicesScreen,
    read: readNoParams,
  }),
  staffRoute({
    area: 'system',
    name: 'system-products',
    patterns: ['/admin/system/products'],
    title: 'Products',
    load: async () => (await import('./products/products-screen.tsx')).ProductsScreen,
    read: readNoParams,
  }),
  staffRoute({
    area: 'system',
    name: 'system-product-tags',
    patterns: ['/admin/system/products/tags'],
    title: 'Product tags',
    load: async () => (await import('./products/products-screen.tsx')).ProductTagsScreen,
    read: readNoParams,
  }),
  staffRoute({
    area: 'system',
    name: 'system-defined-fields',
    patterns: ['/admin/defined-fields'],
    title: 'Defined fields',
    load: async () => (await import('./defined-fields/defined-fields-screen.tsx')).DefinedFieldsScreen,
    read: readNoParams,
  }),
  staffRoute({
    area: 'system',
    name: 'system-shipping-options',
    patterns: ['/admin/system/shipping-options'],
    title: 'Shipping options',
    load: async () => (await import('./shipping/shipping-options-screen.tsx')).ShippingOptionsScreen,
    read: readNoParams,
  }),
  staffRoute({
    area: 'system',
    name: 'system-taxes',
    patterns: ['/admin/system/taxes'],
    title: 'Taxes',
    load: async () => (await import('./taxes/taxes-screen.tsx')).TaxesScreen,
    read: readNoParams,
  }),
  staffRoute({
    area: 'system',
    name: 'system-workflows',
    patterns: ['/admin/workflows'],
    title: 'Workflows',
    load: async () => (await import('./workflows/workflows-screen.tsx')).WorkflowsScreen,
    read: readNoParams,
  }),
  staffRoute({
    area: 'system',
    name: 'system-workflow',
    patterns: ['/admin/workflows/:workflowId'],
    title: 'Workflow',
    load: async () => (await import('./workflows/workflow-screen.tsx')).WorkflowScreen,
    read: (input): { workflowId: number | 'new' } => ({
      workflowId: textParam(input, 'workflowId') === 'new' ? 'new' : idParam(input, 'workflowId'),
    }),
  }),
]
