import { orderAtLabMessage } from './order-at-lab-message.ts'

export const orderStates = ['placed', 'batched', 'submitted', 'inProduction', 'shipped', 'cancelled'] as const
export type OrderState = (typeof orderStates)[number]

/** The names of the states on staff screens. */
export const orderStateNames: Readonly<Record<OrderState, string>> = {
  placed: 'Placed',
  batched: 'In a batch',
  submitted: 'With the lab',
  inProduction: 'In production',
  shipped: 'Shipped',
  cancelled: 'Cancelled',
}

/**
 * The transitions of an order. It can be cancelled only before production; refunds are ledger rows and possible in any
 * state.
 */
export const orderTransitions = {
  placed: ['batched', 'submitted', 'cancelled'],
  batched: ['submitted', 'cancelled'],
  submitted: ['inProduction', 'cancelled'],
  inProduction: ['shipped'],
  shipped: [],
  cancelled: [],
} as const satisfies Record<OrderState, readonly OrderState[]>

/** Whether an order is not submitted to the lab yet; customers can cancel it until then. Changes end with its batch. */
export const isCustomerEditable = ({ state }: { state: OrderState }): boolean =>
  state === 'placed' || state === 'batched'

/** The state of an order, and whether its batch is closed. */
export type OrderBatchState = { state: OrderState; inClosedBatch: boolean }

const cancelledMessage = 'This order was cancelled'
const batchClosedMessage =
  'The studio is putting this order together for the lab. Ask the studio if you need to change something'

/** Why the customer can no longer change an order, as a message; null if they can. */
export const orderLockReason = ({ state, inClosedBatch }: OrderBatchState): string | null => {
  if (state === 'cancelled') return cancelledMessage
  if (!isCustomerEditable({ state })) return orderAtLabMessage
  return inClosedBatch ? batchClosedMessage : null
}

/** Whether an order may change from one state to another. */
export const canTransitionOrder = (from: OrderState, to: OrderState): boolean => {
  const next: readonly OrderState[] = orderTransitions[from]
  return next.includes(to)
}

/**
 * The state of an order before it was submitted, and after its packet is recalled. Not a transition of a single order:
 * only a whole packet can be recalled, and only before the lab starts.
 */
export const stateBeforeLab = ({ isToStudio }: { isToStudio: boolean }): 'placed' | 'batched' =>
  isToStudio ? 'batched' : 'placed'

export const batchStates = ['open', 'closed', 'submitted'] as const
export type BatchState = (typeof batchStates)[number]

/**
 * The transitions of a batch. An open batch accepts orders. Only a closed one can be submitted to the lab, so that no
 * order is added while staff review it.
 */
export const batchTransitions = {
  open: ['closed'],
  closed: ['open', 'submitted'],
  submitted: [],
} as const satisfies Record<BatchState, readonly BatchState[]>

export const canTransitionBatch = (from: BatchState, to: BatchState): boolean => {
  const next: readonly BatchState[] = batchTransitions[from]
  return next.includes(to)
}

/**
 * How staff list a job's orders (section 2): all orders of one order method, by default the job's; those in a batch;
 * those neither in a batch nor at the lab; those at the lab or already shipped.
 */
export const orderViews = ['prepay', 'batch', 'individual', 'submitted'] as const
export type OrderView = (typeof orderViews)[number]

/** Maximum number of orders that one call of a bulk action handles. Staff then run the action on the rest. */
export const maxBulkOrders = 500
