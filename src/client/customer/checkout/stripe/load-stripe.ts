import type { Stripe } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure/index.js'

/** The platform's Stripe key, and the studio's account that receives the money. */
export type StripeAccount = { publishableKey: string; account: string | null }

const loading = new Map<string, Promise<Stripe>>()

const load = async ({ publishableKey, account }: StripeAccount): Promise<Stripe> => {
  const stripe = await loadStripe(publishableKey, account === null ? {} : { stripeAccount: account })
  if (!stripe) throw new Error('Stripe’s script needs a page')
  return stripe
}

/** Loads Stripe's script from Stripe's domain, as Stripe requires. Rejects if that fails, and can be retried. */
export const loadStripeAccount = (account: StripeAccount): Promise<Stripe> => {
  const name = `${account.publishableKey} ${account.account}`
  const before = loading.get(name)
  if (before) return before
  const stripe = load(account)
  loading.set(name, stripe)
  stripe.catch(() => loading.delete(name))
  return stripe
}
