import { useEffect, useRef, useState } from 'react'
import { hasPrints } from '#domain/pricing/shipping.ts'
import type { CheckoutFormValues } from '../form/checkout-form-values.ts'
import type { CheckoutState } from '../use-checkout.ts'
import type { Place, WalletAmounts } from './card-provider.ts'

/** Milliseconds for a price, less than a wallet waits. */
const timeoutMs = 15_000

type PendingPrice = { place: Place; resolve: (amounts: WalletAmounts | null) => void }

/** What the wallet replaces in the form. */
type ReplacedAddress = Pick<CheckoutFormValues, 'billingAddress' | 'sameAsBilling'>

const amountsOf = ({ cart, pricing, delivery }: CheckoutState): WalletAmounts | undefined => {
  const { totals } = pricing
  if (!totals) return undefined
  const { shippingCents, taxCents, totalCents } = totals
  const deliveryName = cart && hasPrints(cart.cart) ? delivery.shippingName : undefined
  return { shippingCents, taxCents, totalCents, deliveryName }
}

/**
 * Prices an order at the place that a wallet names: fills it into the form, and waits for the totals of the form. A later place replaces
 * an earlier one that waits. If its owner does not approve, `restore` puts back what was typed.
 */
export const useWalletPricing = (checkoutState: CheckoutState) => {
  const { draft, pricing, blocker } = checkoutState
  const [pending, setPending] = useState<PendingPrice | null>(null)
  const replaced = useRef<ReplacedAddress>(null)
  const amounts = amountsOf(checkoutState)
  const address = draft.form?.billingAddress
  const isFilledIn = pending?.place.state === address?.state && pending?.place.zip === address?.zip
  const hasFailed = pricing.problem !== undefined || blocker?.toCart === true

  useEffect(() => {
    if (!pending || !isFilledIn || !(amounts || hasFailed)) return
    setPending(null)
    pending.resolve(amounts ?? null)
  }, [pending, isFilledIn, amounts, hasFailed])

  // Each place is answered: also one that is replaced, or whose totals never come.
  useEffect(() => {
    if (!pending) return
    const timer = setTimeout(() => {
      setPending((latest) => (latest === pending ? null : latest))
      pending.resolve(null)
    }, timeoutMs)
    return () => {
      clearTimeout(timer)
      pending.resolve(null)
    }
  }, [pending])

  const priceAt = (place: Place): Promise<WalletAmounts | null> =>
    new Promise((resolve) => {
      setPending({ place, resolve })
      draft.change((before) => {
        replaced.current ??= { billingAddress: before.billingAddress, sameAsBilling: before.sameAsBilling }
        return { ...before, billingAddress: { ...before.billingAddress, ...place }, sameAsBilling: true }
      })
    })
  const restore = (): void => {
    const typed = replaced.current
    replaced.current = null
    setPending(null)
    if (typed) draft.change((before) => ({ ...before, ...typed }))
  }
  const forgetTyped = (): void => {
    replaced.current = null
  }
  return { amounts, priceAt, restore, forgetTyped }
}
