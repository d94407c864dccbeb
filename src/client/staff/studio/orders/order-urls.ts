import { type JobParams, staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import type { OrderView } from '#domain/orders/order-views.ts'

/** Address of an order view. */
export const ordersUrl = (job: JobParams, view: OrderView): string =>
  staffUrls.job(job, view === 'prepay' ? 'orders' : `orders/${view}`)
export const orderUrl = (job: JobParams, orderNumber: string): string =>
  staffUrls.job(job, `orders/order/${orderNumber}`)
export const batchUrl = (job: JobParams, batchId: number): string => staffUrls.job(job, `orders/batch/${batchId}`)
export const rosterUrl = (job: JobParams): string => staffUrls.job(job, 'orders/print')
