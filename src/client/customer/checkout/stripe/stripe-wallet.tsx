import type {
  BillingDetails,
  ChangeResolveDetails,
  ExpressCheckoutAddress,
  ExpressCheckoutPartialAddress,
  Stripe,
  StripeElements,
  StripeExpressCheckoutElement,
  StripeExpressCheckoutElementConfirmEvent,
  StripeExpressCheckoutElementOptions,
} from '@stripe/stripe-js'
import { useEffect, useRef } from 'react'
import { ignoring } from '#domain/shared/ignoring.ts'
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

/** Tokenizes what the wallet approved; null if that fails. */
const tokenize = async (
  { stripe, elements }: MountedWallet,
  approvedCents: number,
): Promise<WalletApproval['card'] | null> => {
  const { error: submitError } = await elements.submit()
  if (submitError) return null
  const { error, confirmationToken } = await stripe.createConfirmationToken({ elements })
  if (error) return null
  const { id, payment_method_preview: preview } = confirmationToken
  return { token: id, ending: preview.card?.last4 ?? '', approvedCents }
}

type MountedWallet = {
  stripe: Stripe
  elements: StripeElements
  /** The amount in the open sheet, which its owner approves; null while no sheet is open. */
  sheetCents: number | null
}

const showAmount = ({ elements }: MountedWallet, cents: number): void =>
  void elements.update({ amount: Math.max(minCents, cents) })

/** Opens and prices the sheets of a wallet, and passes on what their owner approves. */
const listen = (
  element: StripeExpressCheckoutElement,
  wallet: MountedWallet,
  props: () => Omit<WalletProps, 'payment'>,
): void => {
  const closeSheet = () => {
    wallet.sheetCents = null
    const { amounts, onCancel } = props()
    if (amounts) showAmount(wallet, amounts.totalCents)
    onCancel()
  }
  element.on('ready', ({ availablePaymentMethods }) => availablePaymentMethods && props().onAvailable())
  element.on('click', (event) => {
    const { amounts, onUnpriced } = props()
    if (!amounts) {
      event.reject()
      return onUnpriced()
    }
    wallet.sheetCents = amounts.totalCents
    event.resolve({
      ...{ emailRequired: true, phoneNumberRequired: true, billingAddressRequired: true, ...sheetOf(amounts) },
      ...{ shippingAddressRequired: true, allowedShippingCountries: ['US'] },
    })
  })
  element.on('shippingaddresschange', async (event) => {
    const priced = await props().priceAt(placeOf(event.address))
    if (!priced) return event.reject()
    wallet.sheetCents = priced.totalCents
    showAmount(wallet, priced.totalCents)
    event.resolve(sheetOf(priced))
  })
  element.on('cancel', closeSheet)
  element.on('confirm', async (event) => {
    const card = await tokenize(wallet, wallet.sheetCents ?? 0).catch(() => null)
    if (card) {
      wallet.sheetCents = null
      return props().onApprove(approvalOf(event, card))
    }
    event.paymentFailed({ reason: 'fail' })
    closeSheet()
    toastError([unreachable])
  })
}

/**
 * Apple Pay and Google Pay above the form (Stripe's Express Checkout Element). The wallet asks for an address first, whose place is priced, so
 * that its owner approves the whole amount with tax. What was approved is the limit of the charge.
 */
export const StripeWallet = ({ payment, ...props }: WalletProps) => {
  const container = useRef<HTMLDivElement>(null)
  const mounted = useRef<MountedWallet>(null)
  const { publishableKey, account } = payment
  const totalCents = props.amounts?.totalCents
  const latestProps = useEventCallback(() => props)

  useEffect(() => {
    const controller = new AbortController()
    const mount = async (target: HTMLElement) => {
      const stripe = await loadStripeAccount({ publishableKey, account })
      if (controller.signal.aborted) return
      const amount = Math.max(minCents, latestProps().amounts?.totalCents ?? 0)
      const elements = stripe.elements({
        ...{ mode: 'payment', amount, currency: 'usd', paymentMethodTypes: ['card'] },
      })
      const element = elements.create('expressCheckout', options)
      controller.signal.addEventListener('abort', () => element.destroy())
      mounted.current = { stripe, elements, sheetCents: null }
      listen(element, mounted.current, latestProps)
      element.mount(target)
    }
    const target = container.current
    if (target)
      void ignoring('without Stripe’s script there is no wallet, and the card form says so', () => mount(target))
    return () => {
      mounted.current = null
      controller.abort()
    }
  }, [publishableKey, account, latestProps])

  useEffect(() => {
    // An open sheet keeps the amount that its owner sees.
    if (mounted.current?.sheetCents === null && totalCents !== undefined) showAmount(mounted.current, totalCents)
  }, [totalCents])

  return <div ref={container} />
}
