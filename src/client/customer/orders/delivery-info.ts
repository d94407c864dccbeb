import type { Order } from '#contract/customer/order-calls.ts'
import { formatDate } from '#domain/shared/dates.ts'

export type DeliveryStep = { label: string; when: string | null; state: 'done' | 'now' | 'later' }

type OrderState = Order['state']

/** Number of completed delivery steps in each state. Printing is not complete while the order is at the lab. */
const completedSteps: Record<Exclude<OrderState, 'cancelled'>, number> = {
  placed: 1,
  batched: 1,
  submitted: 1,
  inProduction: 1,
  shipped: 3,
}

const lastStepLabel = (order: Order): string =>
  ({
    home: `Shipped to ${order.shippingAddress?.city}`,
    studio: order.arrival ?? 'Handed out by the studio',
    download: 'Ready to download',
  })[order.delivery]

/** States in which the lab does not have the order yet. */
const statesBeforeLab: readonly OrderState[] = ['placed', 'batched']

const productionLabel = (order: Order): string => {
  const isPrepaid = order.orderMethod === 'prepay'
  if (order.delivery === 'download') return isPrepaid ? 'Photos taken and chosen' : 'Preparing your files'
  if (isPrepaid) return 'Photos taken, chosen and printed'
  return statesBeforeLab.includes(order.state) ? 'Waiting to be printed' : 'Printing'
}

/**
 * Files are ready once their links exist, whatever the order's state: an order of files alone never goes to the lab.
 */
const isReadyToDownload = ({ delivery, downloads }: Order): boolean => delivery === 'download' && downloads.length > 0

/** The delivery steps with their dates, as far as known. Dates that are not set are left out. */
export const deliverySteps = (order: Order): DeliveryStep[] => {
  const { state, placedAt } = order
  if (state === 'cancelled') {
    return [
      { label: 'Ordered', when: formatDate(placedAt), state: 'done' },
      { label: 'Cancelled', when: null, state: 'now' },
    ]
  }
  const steps = [
    { label: 'Ordered', when: formatDate(placedAt) },
    { label: productionLabel(order), when: null },
    { label: lastStepLabel(order), when: order.delivery === 'home' ? order.arrival : null },
  ]
  const completed = isReadyToDownload(order) ? steps.length : completedSteps[state]
  return steps.map((step, index) => ({
    ...step,
    state: index < completed ? 'done' : index === completed ? 'now' : 'later',
  }))
}
