import type { Stripe, StripeElements, StripePaymentElement, StripePaymentElementOptions } from '@stripe/stripe-js'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { loadStripeAccount, type StripeAccount } from './load-stripe.ts'
import { stripeAppearance } from './stripe-appearance.ts'

export type StripeForm = { stripe: Stripe; elements: StripeElements; element: StripePaymentElement }

type CardFormState = 'loading' | 'ready' | 'failed'

/** Stripe's minimum charge in cents, which its forms need before the total is known. */
export const minCents = 50

// Wallets have their own buttons (`stripe-wallet.tsx`). Name and address are asked once, by this page.
const options: StripePaymentElementOptions = {
  layout: { type: 'tabs' },
  wallets: { applePay: 'never', googlePay: 'never', link: 'never' },
  fields: { billingDetails: 'never' },
  terms: { card: 'never' },
}

const darkColourScheme = (): MediaQueryList => matchMedia('(prefers-color-scheme: dark)')

/** Mounts Stripe's payment form in the container, and updates it with the total and the theme. */
export const useStripeForm = (
  container: RefObject<HTMLElement | null>,
  { publishableKey, account, cents }: StripeAccount & { cents: number | undefined },
) => {
  const form = useRef<StripeForm>(null)
  const [state, setState] = useState<CardFormState>('loading')
  const [attempt, setAttempt] = useState(0)
  const amount = Math.max(minCents, cents ?? 0)
  const latestAmount = useRef(amount)

  // biome-ignore lint/correctness/useExhaustiveDependencies(attempt): a new attempt retries
  useEffect(() => {
    const controller = new AbortController()
    const mount = async () => {
      const stripe = await loadStripeAccount({ publishableKey, account })
      const target = container.current
      if (controller.signal.aborted || !target) return
      const readOptions = () => ({ appearance: stripeAppearance(target) })
      const elements = stripe.elements({
        ...{ mode: 'payment', amount: latestAmount.current, currency: 'usd', paymentMethodTypes: ['card'] },
        ...readOptions(),
      })
      const element = elements.create('payment', options)
      controller.signal.addEventListener('abort', () => element.destroy())
      element.on('ready', () => setState('ready'))
      element.on('loaderror', () => setState('failed'))
      element.mount(target)
      darkColourScheme().addEventListener('change', () => elements.update(readOptions()), { signal: controller.signal })
      form.current = { stripe, elements, element }
    }
    mount().catch(() => {
      if (!controller.signal.aborted) setState('failed')
    })
    return () => {
      form.current = null
      controller.abort()
    }
  }, [container, publishableKey, account, attempt])

  useEffect(() => {
    latestAmount.current = amount
    form.current?.elements.update({ amount })
  }, [amount])

  const retry = () => {
    setState('loading')
    setAttempt((before) => before + 1)
  }
  return { form, state, retry }
}
