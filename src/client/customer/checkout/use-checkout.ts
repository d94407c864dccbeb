import { useEffect } from 'react'
import type { CheckoutDetails, Totals } from '../../../contract/checkout.ts'
import type { CartView } from '../../../local/cart-view.ts'
import { refreshCart } from '../../../local/refresh-cart.ts'
import { surviving } from '../../../local/surviving.ts'
import { ask } from '../../device/ask.ts'
import { local } from '../../device/local.ts'
import { startSending } from '../../device/sending.ts'
import type { CustomerEvent } from '../event.tsx'
import { useCart } from '../use-cart.ts'
import { useConnected } from '../use-connected.ts'
import { useChosenCard } from './chosen-card.ts'
import { type Delivery, deliveryFor, deliveryOf } from './delivery.ts'
import { type CheckoutForm, detailsOf, emptyForm } from './form-model.ts'
import { addingUp, type Hold, holdOf } from './hold.ts'
import { type FormDraft, useFormDraft } from './use-form-draft.ts'
import { type Priced, useTotals } from './use-totals.ts'

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
