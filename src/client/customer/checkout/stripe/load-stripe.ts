import type { Stripe } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure/index.js'

/** Whose Stripe: the platform's key, and the studio's account that the money is for. */
export type StripeAccount = { publishableKey: string; account: string | null }

const loading = new Map<string, Promise<Stripe>>()

const load = async ({ publishableKey, account }: StripeAccount): Promise<Stripe> => {
  const stripe = await loadStripe(publishableKey, account === null ? {} : { stripeAccount: account })
  if (!stripe) throw new Error('Stripe’s script needs a page')
  return stripe
}

/** Stripe's own script, which it wants to come from itself; rejects where it can't be had, and may be asked for again. */
export const loadStripeAccount = (whose: StripeAccount): Promise<Stripe> => {
  const name = `${whose.publishableKey} ${whose.account}`
  const before = loading.get(name)
  if (before) return before
  const stripe = load(whose)
  loading.set(name, stripe)
  stripe.catch(() => loading.delete(name))
  return stripe
}
