import { useEffect, useRef, useState } from 'react'
import { hasPrints } from '#domain/pricing/shipping.ts'
import type { CheckoutState } from '../use-checkout.ts'
import type { Place, WalletAmounts } from './card-provider.ts'

type PendingPrice = { place: Place; resolve: (amounts: WalletAmounts | null) => void }

const amountsOf = ({ cart, pricing, delivery }: CheckoutState): WalletAmounts | undefined => {
  const { totals } = pricing
  if (!totals) return undefined
  const { shippingCents, taxCents, totalCents } = totals
  const deliveryName = cart && hasPrints(cart.cart) ? delivery.shippingName : undefined
  return { shippingCents, taxCents, totalCents, deliveryName }
}

/**
 * Prices an order at the place that a wallet names: fills it into the form, and waits for the totals of the form. A later place replaces
 * an earlier one that waits.
 */
export const useWalletPricing = (checkoutState: CheckoutState) => {
  const { draft, pricing, blocker } = checkoutState
  const [pending, setPending] = useState<PendingPrice | null>(null)
  const latest = useRef<PendingPrice>(null)
  const amounts = amountsOf(checkoutState)
  const address = draft.form?.billingAddress
  const isFilledIn = pending?.place.state === address?.state && pending?.place.zip === address?.zip
  const hasFailed = pricing.problem !== undefined || blocker?.toCart === true

  useEffect(() => {
    if (!pending || !isFilledIn || !(amounts || hasFailed)) return
    setPending(null)
    pending.resolve(amounts ?? null)
  }, [pending, isFilledIn, amounts, hasFailed])

  const priceAt = (place: Place): Promise<WalletAmounts | null> =>
    new Promise((resolve) => {
      latest.current?.resolve(null)
      latest.current = { place, resolve }
      setPending(latest.current)
      draft.change((before) => ({
        ...before,
        billingAddress: { ...before.billingAddress, ...place },
        sameAsBilling: true,
      }))
    })
  return { amounts, priceAt }
}
