import { useEffect, useRef } from 'react'
import type { CheckoutDetails } from '#contract/customer/checkout-calls.ts'
import type { Totals } from '#contract/shapes/order-structs.ts'
import { withDatabaseRetry } from '#local/recovery/with-database-retry.ts'
import type { CartView } from '#local/store/cart-view.ts'
import { refreshCart } from '#local/transport/refresh-cart.ts'
import { callApi } from '#platform/api/api.ts'
import { database } from '#platform/database.ts'
import { startPageSync } from '#platform/sync/page-sync.ts'
import { useConnected } from '#platform/use-connected.ts'
import { useCart } from '../shared/cart/use-cart.ts'
import type { JobContextValue } from '../shared/job/job-context.tsx'
import { useChosenCard } from './card/chosen-card.ts'
import { type CheckoutBlocker, calculatingTotals, checkoutBlocker } from './checkout-blocker.ts'
import { type CheckoutDelivery, checkoutDelivery, deliveryForCart } from './form/checkout-delivery.ts'
import {
  type CheckoutFormValues,
  emptyCheckoutForm,
  taxAddress,
  toCheckoutDetails,
} from './form/checkout-form-values.ts'
import { type CheckoutDraft, useCheckoutDraft } from './form/use-checkout-draft.ts'
import { type CheckoutPricing, useCheckoutPricing } from './use-checkout-pricing.ts'

export type CheckoutState = {
  /** Undefined until it has been read from the database. */
  cart: CartView | undefined
  draft: CheckoutDraft
  delivery: CheckoutDelivery
  pricing: CheckoutPricing
  /** The totals to show: the last ones until the next ones have loaded. Only `pricing.totals` may be paid. */
  displayedTotals: Totals | undefined
  /** Whether the displayed totals include the tax, which depends on the address. */
  isTaxKnown: boolean
  blocker: CheckoutBlocker | null
}

/** What the amount in the bar is. */
export const amountLabel = ({ displayedTotals, isTaxKnown, blocker }: CheckoutState): string => {
  if (displayedTotals && blocker === calculatingTotals) return blocker.short
  if (displayedTotals) return isTaxKnown ? 'Total' : 'Total before tax'
  return blocker ? `Estimate · ${blocker.short}` : 'Estimate'
}

/**
 * The state of a cart's checkout: input, server options, totals and blocker. `isPaying` freezes the cart and its
 * details.
 */
export const useCheckout = (job: JobContextValue, { isPaying }: { isPaying: boolean }): CheckoutState => {
  const { jobId, orderMethod, closedReason } = job
  const key = { jobId, orderMethod }
  const cart = useCart(jobId, orderMethod)
  const draft = useCheckoutDraft(key)
  const { failedBefore } = useChosenCard(key)
  const online = useConnected()
  const form: CheckoutFormValues = draft.form ?? emptyCheckoutForm
  const isReady = !isPaying && draft.form !== undefined && cart?.status.kind === 'sent'

  // Payment requires that the server has the whole cart in its newest state.
  useEffect(() => {
    const catchUp = async () => {
      await startPageSync().wake('tap')
      await withDatabaseRetry(database, () => refreshCart(database, callApi, { jobId, orderMethod }))
    }
    void catchUp()
  }, [jobId, orderMethod])

  const pricing = useCheckoutPricing(key, isReady ? cart.cart.version : null, (checkout): CheckoutDetails => {
    const { delivery, shippingCode } = checkoutDelivery(form, checkout)
    const input = { orderMethod, jobVersion: job.job.version, shippingCode, recreatePaymethod: failedBefore }
    return toCheckoutDetails({ ...form, delivery }, { ...input, payMethod: 'card' })
  })

  const status = cart?.status ?? { kind: 'saved', label: '' }
  const blocker = checkoutBlocker({
    closedReason,
    cart: status,
    online,
    problem: pricing.problem,
    isPriced: pricing.totals !== undefined,
  })
  const displayedTotals = pricing.totals ?? (blocker === calculatingTotals || isPaying ? pricing.lastTotals : undefined)
  const delivery = deliveryForCart(cart?.cart, checkoutDelivery(form, pricing.checkout))
  const hasTaxState = taxAddress(form, delivery.delivery).state !== ''
  // While totals load, those of the previous details are displayed, perhaps without a state.
  const isTaxKnown = useRef(hasTaxState)
  if (pricing.totals || !pricing.lastTotals) isTaxKnown.current = hasTaxState
  return { cart, draft, delivery, pricing, displayedTotals, isTaxKnown: isTaxKnown.current, blocker }
}
