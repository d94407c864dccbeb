import type {
  BillingDetails,
  ChangeResolveDetails,
  ExpressCheckoutAddress,
  ExpressCheckoutPartialAddress,
  Stripe,
  StripeElements,
  StripeExpressCheckoutElementConfirmEvent,
  StripeExpressCheckoutElementOptions,
} from '@stripe/stripe-js'
import { useEffect, useRef } from 'react'
import { useEventCallback } from '#ui/rendering/use-event-callback.ts'
import { toastError } from '#ui/toast/toast.ts'
import type { Place, WalletAmounts, WalletApproval, WalletProps } from '../card/card-provider.ts'
import type { AddressInput } from '../form/checkout-form-values.ts'
import { loadStripeAccount } from './load-stripe.ts'
import { minCents } from './use-stripe-form.ts'

const options: StripeExpressCheckoutElementOptions = {
  paymentMethods: { link: 'never', amazonPay: 'never', paypal: 'never', klarna: 'never' },
  paymentMethodOrder: ['apple_pay', 'google_pay'],
  buttonHeight: 48,
}

const unreachable = 'We couldn’t reach your wallet. You weren’t charged. Please try again'

const placeOf = ({ city, state, postal_code }: ExpressCheckoutPartialAddress): Place => ({
  city,
  state: state.toUpperCase(),
  zip: postal_code,
})

const addressOf = (address: ExpressCheckoutAddress, name: string): AddressInput => ({
  ...{ name, address1: address.line1, address2: address.line2 ?? '' },
  ...placeOf(address),
})

/** The lines of the sheet, which add up to its amount. */
const sheetOf = ({ totalCents, taxCents, shippingCents, deliveryName }: WalletAmounts): ChangeResolveDetails => ({
  lineItems: [
    { name: 'Photos', amount: totalCents - taxCents - shippingCents },
    { name: 'Tax', amount: taxCents },
  ],
  shippingRates: [{ id: 'delivery', displayName: deliveryName ?? 'Download', amount: shippingCents }],
})

const approvalOf = (
  { billingDetails, shippingAddress }: StripeExpressCheckoutElementConfirmEvent,
  card: WalletApproval['card'],
): WalletApproval => {
  const { name = '', email = '', phone = '', address }: Partial<BillingDetails> = billingDetails ?? {}
  const priced = shippingAddress && addressOf(shippingAddress.address, shippingAddress.name)
  const billing = address ? addressOf(address, '') : (priced ?? addressOf(noAddress, ''))
  const isSame = !priced || JSON.stringify({ ...priced, name: '' }) === JSON.stringify({ ...billing, name: '' })
  return {
    ...{ customer: { name, email, phone }, billingAddress: { ...billing, name: '' }, card },
    ...(!isSame && { shippingAddress: priced }),
  }
}

const noAddress = { line1: '', line2: '', city: '', state: '', postal_code: '', country: 'US' }

/** Tokenizes what the wallet approved. Throws the provider's message if that fails. */
const tokenize = async (
  stripe: Stripe,
  elements: StripeElements,
  approvedCents: number,
): Promise<WalletApproval['card']> => {
  const { error: submitError } = await elements.submit()
  if (submitError) throw new Error(submitError.message)
  const { error, confirmationToken } = await stripe.createConfirmationToken({ elements })
  if (error) throw new Error(error.message)
  const { id, payment_method_preview: preview } = confirmationToken
  return { token: id, ending: preview.card?.last4 ?? '', approvedCents }
}

type Mounted = { stripe: Stripe; elements: StripeElements; amountCents: number }

/**
 * Apple Pay and Google Pay above the form (Stripe's Express Checkout Element). The wallet asks for an address first, whose place is priced, so
 * that its owner approves the whole amount with tax. What was approved is the limit of the charge.
 */
export const StripeWallet = ({ payment, amounts, priceAt, onAvailable, onApprove }: WalletProps) => {
  const container = useRef<HTMLDivElement>(null)
  const mounted = useRef<Mounted>(null)
  const { publishableKey, account } = payment

  const setAmount = (cents: number): void => {
    if (!mounted.current) return
    mounted.current.amountCents = Math.max(minCents, cents)
    mounted.current.elements.update({ amount: mounted.current.amountCents })
  }
  const priceSheet = async (address: ExpressCheckoutPartialAddress): Promise<ChangeResolveDetails | null> => {
    const priced = await priceAt(placeOf(address))
    if (!priced) return null
    setAmount(priced.totalCents)
    return sheetOf(priced)
  }
  const confirm = async (event: StripeExpressCheckoutElementConfirmEvent): Promise<void> => {
    if (!mounted.current) return
    const { stripe, elements, amountCents } = mounted.current
    try {
      onApprove(approvalOf(event, await tokenize(stripe, elements, amountCents)))
    } catch (error) {
      const { message } = error as Error // thrown by `tokenize`, or by the network
      event.paymentFailed({ reason: 'fail' })
      toastError([message || unreachable])
    }
  }
  const handlers = useEventCallback(() => ({ amounts, onAvailable, priceSheet, confirm }))

  useEffect(() => {
    const controller = new AbortController()
    const mount = async (target: HTMLElement) => {
      const stripe = await loadStripeAccount({ publishableKey, account })
      if (controller.signal.aborted) return
      const amountCents = Math.max(minCents, handlers().amounts?.totalCents ?? 0)
      const elements = stripe.elements({
        ...{ mode: 'payment', amount: amountCents, currency: 'usd', paymentMethodTypes: ['card'] },
      })
      mounted.current = { stripe, elements, amountCents }
      const element = elements.create('expressCheckout', options)
      controller.signal.addEventListener('abort', () => element.destroy())
      element.on('ready', ({ availablePaymentMethods }) => availablePaymentMethods && handlers().onAvailable())
      element.on('click', (event) => {
        const { amounts: current } = handlers()
        if (!current) return event.reject()
        const required = { emailRequired: true, phoneNumberRequired: true, billingAddressRequired: true }
        event.resolve({
          ...{ ...required, ...sheetOf(current), shippingAddressRequired: true, allowedShippingCountries: ['US'] },
        })
      })
      element.on('shippingaddresschange', async (event) => {
        const sheet = await handlers().priceSheet(event.address)
        if (sheet) event.resolve(sheet)
        else event.reject()
      })
      element.on('confirm', (event) => void handlers().confirm(event))
      element.mount(target)
    }
    // Without Stripe's script there is no wallet; the card form says so.
    if (container.current) void mount(container.current).catch(() => undefined)
    return () => {
      mounted.current = null
      controller.abort()
    }
  }, [publishableKey, account, handlers])

  const totalCents = amounts?.totalCents
  // biome-ignore lint/correctness/useExhaustiveDependencies: the amount changes with the total only
  useEffect(() => {
    if (totalCents !== undefined) setAmount(totalCents)
  }, [totalCents])

  return <div ref={container} />
}
