import type { Order } from '#contract/customer/checkout-calls.ts'
import { formatDate } from '#domain/shared/dates.ts'

export type DeliveryStep = { label: string; when: string | null; state: 'done' | 'now' | 'later' }

type OrderState = Order['state']

/** Number of customer-visible steps that are complete in each state: printing is not while the order is at the lab. */
const passed: Record<Exclude<OrderState, 'cancelled'>, number> = {
  placed: 1,
  batched: 1,
  submitted: 1,
  inProduction: 1,
  shipped: 3,
}

/** The delivery method; orders stored by an earlier build only have an address to derive it from. */
export const deliveryMethod = ({ delivery, shippingAddress }: Order): NonNullable<Order['delivery']> =>
  delivery ?? (shippingAddress ? 'home' : 'studio')

const lastStep = (order: Order): string =>
  ({
    home: `Mailed to ${order.shippingAddress?.city}`,
    studio: 'Handed out by the studio',
    download: 'Ready to download',
  })[deliveryMethod(order)]

const productionLabel = (order: Order): string => {
  const isPrepaid = order.orderMethod === 'prepay'
  if (deliveryMethod(order) === 'download') return isPrepaid ? 'Pictures taken and chosen' : 'Pictures made ready'
  return isPrepaid ? 'Pictures taken, chosen and printed' : 'Printed at the lab'
}

/**
 * Files are ready once their links exist, whatever the order's state: an order of files alone never goes to the lab.
 */
const isReadyToDownload = (order: Order): boolean =>
  deliveryMethod(order) === 'download' && (order.downloads?.length ?? 0) > 0

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
    { label: lastStep(order), when: null },
  ]
  const completed = isReadyToDownload(order) ? steps.length : passed[state]
  return steps.map((step, index) => ({
    ...step,
    state: index < completed ? 'done' : index === completed ? 'now' : 'later',
  }))
}
