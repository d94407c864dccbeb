import { unreachableMessage } from '#local/transport/failure-cause.ts'
import type { FindOrder } from './order-search.ts'

/** Finds an order with code loaded on demand: a landing page includes neither the API client nor the database. */
export const lazyFindOrder: FindOrder = async (model) => {
  try {
    const { findOrder } = await import('./find-order.ts')
    return await findOrder(model)
  } catch {
    return { failure: unreachableMessage() }
  }
}
