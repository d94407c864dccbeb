import { orderAtLabMessage } from './order-at-lab-message.ts'

export const orderStates = ['placed', 'batched', 'submitted', 'inProduction', 'shipped', 'cancelled'] as const
export type OrderState = (typeof orderStates)[number]

/** What staff call them. */
export const orderStateNames: Readonly<Record<OrderState, string>> = {
  placed: 'Placed',
  batched: 'In a batch',
  submitted: 'With the lab',
  inProduction: 'In production',
  shipped: 'Shipped',
  cancelled: 'Cancelled',
}

/** Where an order may go from each state; refunds are ledger rows, in any state. */
export const orderTransitions = {
  placed: ['batched', 'submitted', 'cancelled'],
  batched: ['submitted', 'cancelled'],
  submitted: ['inProduction', 'cancelled'],
  inProduction: ['shipped'],
  shipped: [],
  cancelled: [],
} as const satisfies Record<OrderState, readonly OrderState[]>

/** Until the lab has it, an order is its customer's: to cancel, and to put right. */
export const isCustomerEditable = ({ state }: { state: OrderState }): boolean =>
  state === 'placed' || state === 'batched'

/** How an order stands with its batch beside its own state. */
export type OrderBatchState = { state: OrderState; inClosedBatch: boolean }

const wasCancelled = 'This order was cancelled'
const batchIsClosed =
  'The studio is putting this order together for the lab. Ask the studio if something has to be changed'

/** Why nothing on an order may be put right by its customer any more, in a sentence; null while it may. */
export const orderLockReason = ({ state, inClosedBatch }: OrderBatchState): string | null => {
  if (state === 'cancelled') return wasCancelled
  if (!isCustomerEditable({ state })) return orderAtLabMessage
  return inClosedBatch ? batchIsClosed : null
}

/** Whether an order may go from one state to another (section 4; cancelled only before production). */
export const canTransitionOrder = (from: OrderState, to: OrderState): boolean => {
  const next: readonly OrderState[] = orderTransitions[from]
  return next.includes(to)
}

/**
 * Where an order waited before it went to the lab, and waits again when its packet is taken back. It is no move of its own: only a whole
 * packet comes back, and only before the lab has begun.
 */
export const stateBeforeLab = ({ isToStudio }: { isToStudio: boolean }): 'placed' | 'batched' =>
  isToStudio ? 'batched' : 'placed'
