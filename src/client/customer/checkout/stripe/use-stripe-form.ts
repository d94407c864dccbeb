import type { Stripe, StripeElements, StripePaymentElement, StripePaymentElementOptions } from '@stripe/stripe-js'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { loadStripeAccount, type StripeAccount } from './load-stripe.ts'
import { stripeAppearance } from './stripe-appearance.ts'

export type StripeForm = { stripe: Stripe; elements: StripeElements; element: StripePaymentElement }

type CardFormState = 'loading' | 'ready' | 'failed'

/** Stripe's minimum charge, which its form needs before the total is known. */
const leastCents = 50

// Wallets come first. Name and address are asked once, by this page.
const options: StripePaymentElementOptions = {
  layout: { type: 'tabs' },
  paymentMethodOrder: ['apple_pay', 'google_pay', 'card'],
  wallets: { link: 'never' },
  fields: { billingDetails: 'never' },
  terms: { card: 'never' },
}

const darkness = (): MediaQueryList => matchMedia('(prefers-color-scheme: dark)')

/** Mounts Stripe's payment form in `place`, and updates it with the total and the theme. */
export const useStripeForm = (
  place: RefObject<HTMLElement | null>,
  { publishableKey, account, cents }: StripeAccount & { cents: number | undefined },
) => {
  const form = useRef<StripeForm>(null)
  const [state, setState] = useState<CardFormState>('loading')
  const [round, setRound] = useState(0)
  const amount = Math.max(leastCents, cents ?? 0)
  const latest = useRef(amount)

  // biome-ignore lint/correctness/useExhaustiveDependencies(round): a new round retries
  useEffect(() => {
    const leaving = new AbortController()
    const begin = async () => {
      const stripe = await loadStripeAccount({ publishableKey, account })
      const here = place.current
      if (leaving.signal.aborted || !here) return
      const looks = () => ({ appearance: stripeAppearance(here) })
      const elements = stripe.elements({
        ...{ mode: 'payment', amount: latest.current, currency: 'usd', paymentMethodTypes: ['card'] },
        ...looks(),
      })
      const element = elements.create('payment', options)
      leaving.signal.addEventListener('abort', () => element.destroy())
      element.on('ready', () => setState('ready'))
      element.on('loaderror', () => setState('failed'))
      element.mount(here)
      darkness().addEventListener('change', () => elements.update(looks()), { signal: leaving.signal })
      form.current = { stripe, elements, element }
    }
    begin().catch(() => {
      if (!leaving.signal.aborted) setState('failed')
    })
    return () => {
      form.current = null
      leaving.abort()
    }
  }, [place, publishableKey, account, round])

  useEffect(() => {
    latest.current = amount
    form.current?.elements.update({ amount })
  }, [amount])

  const again = () => {
    setState('loading')
    setRound((before) => before + 1)
  }
  return { form, state, again }
}
