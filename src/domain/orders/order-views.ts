/**
 * How staff look at a job's orders (section 2): all that were ordered in the job's own way; those that go to the studio together; those
 * that wait for the lab by themselves; those that the lab has.
 */
export const orderViews = ['prepay', 'batch', 'individual', 'submitted'] as const
export type OrderView = (typeof orderViews)[number]

/** So many orders are done something with together; those beyond stay, and are told of. */
export const maxBulkOrders = 500
