import { useEffect } from 'react'
import type { CheckoutDetails, Totals } from '#contract/customer/checkout-calls.ts'
import { surviving } from '#local/recovery/with-database-retry.ts'
import type { CartView } from '#local/store/cart-view.ts'
import { refreshCart } from '#local/transport/refresh-cart.ts'
import { ask } from '#platform/api/api.ts'
import { local } from '#platform/database.ts'
import { startSending } from '#platform/sync/page-sync.ts'
import { useConnected } from '#platform/use-connected.ts'
import { useCart } from '../shared/cart/use-cart.ts'
import type { CustomerEvent } from '../shared/job/job-context.tsx'
import { useChosenCard } from './card/chosen-card.ts'
import { addingUp, type Hold, holdOf } from './checkout-blocker.ts'
import { type Delivery, deliveryFor, deliveryOf } from './form/checkout-delivery.ts'
import { type CheckoutForm, detailsOf, emptyForm } from './form/checkout-form-values.ts'
import { type FormDraft, useFormDraft } from './form/use-checkout-draft.ts'
import { type Priced, useTotals } from './use-checkout-pricing.ts'

export type CheckoutNow = {
  /** Undefined until it was read from the device. */
  cart: CartView | undefined
  draft: FormDraft
  delivery: Delivery
  priced: Priced
  /** The totals to show: the last ones stay while the next are being added up. Only `priced.totals` may be paid. */
  shown: Totals | undefined
  hold: Hold | null
}

/**
 * A cart's checkout as it stands: what is typed, what the server offers and asks for it, and what is in the way. `paying` holds all
 * still: the cart is frozen, and its details with it.
 */
export const useCheckout = (event: CustomerEvent, { paying }: { paying: boolean }): CheckoutNow => {
  const { jobId, orderMethod, job, closed } = event
  const key = { jobId, orderMethod }
  const cart = useCart(jobId, orderMethod)
  const draft = useFormDraft(key)
  const { failedBefore } = useChosenCard(key)
  const online = useConnected()
  const form: CheckoutForm = draft.form ?? emptyForm
  const ready = !paying && draft.form !== undefined && cart?.status.kind === 'sent'

  // Paying begins with the whole cart at the studio, in its newest state there.
  useEffect(() => {
    const catchUp = async () => {
      await startSending().wake('tap')
      await surviving(local, () => refreshCart(local, ask, { jobId, orderMethod }))
    }
    void catchUp()
  }, [jobId, orderMethod])

  const priced = useTotals(key, ready ? cart.cart.version : null, (checkout): CheckoutDetails => {
    const { delivery, shippingCode } = deliveryOf(form, checkout)
    const facts = { orderMethod, jobVersion: job.version, shippingCode, recreatePaymethod: failedBefore }
    return detailsOf({ ...form, delivery }, { ...facts, payMethod: 'card' })
  })

  const status = cart?.status ?? { kind: 'saved', words: '' }
  const hold = holdOf({ closed, cart: status, online, problem: priced.problem, priced: priced.totals !== undefined })
  const shown = priced.totals ?? (hold === addingUp || paying ? priced.lastTotals : undefined)
  const delivery = deliveryFor(cart?.cart, deliveryOf(form, priced.checkout))
  return { cart, draft, delivery, priced, shown, hold }
}
