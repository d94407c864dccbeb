/**
 * How staff list a job's orders (section 2): all orders of the job's order method; those delivered together to the
 * studio; those sent to the lab one by one; those already submitted.
 */
export const orderViews = ['prepay', 'batch', 'individual', 'submitted'] as const
export type OrderView = (typeof orderViews)[number]

/** Maximum number of orders in one bulk action; the rest is left unchanged and reported. */
export const maxBulkOrders = 500
