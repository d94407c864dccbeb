import type { Stripe } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure/index.js'

/** The platform's Stripe key, and the studio's account that receives the money. */
export type StripeAccount = { publishableKey: string | null; account: string | null }

const stripeByAccount = new Map<string, Promise<Stripe>>()

const load = async ({ publishableKey, account }: StripeAccount): Promise<Stripe> => {
  if (publishableKey === null) throw new Error('No key for Stripe')
  const stripe = await loadStripe(publishableKey, account === null ? {} : { stripeAccount: account })
  if (!stripe) throw new Error('No page for Stripe')
  return stripe
}

/** Loads Stripe's script from Stripe's domain, as Stripe requires. Rejects if that fails, and can be retried. */
export const loadStripeAccount = (account: StripeAccount): Promise<Stripe> => {
  const accountKey = `${account.publishableKey} ${account.account}`
  const previous = stripeByAccount.get(accountKey)
  if (previous) return previous
  const stripe = load(account)
  stripeByAccount.set(accountKey, stripe)
  stripe.catch(() => stripeByAccount.delete(accountKey))
  return stripe
}
