import Stripe from 'stripe'
import type { PaymentAccounts } from '#server/payments/port/payment-provider.ts'
import { type StripeSettings, stripeClient } from './stripe-client.ts'

const invalidCodeMessage = 'Stripe no longer accepts this answer. Please connect again'
const unavailableMessage = 'Stripe can’t be reached right now. Please connect again in a moment'

/** Stripe Connect for the studios' own accounts (docs.stripe.com/connect/oauth-reference). */
export const stripeAccounts = (settings: StripeSettings & { readonly clientId: string }): PaymentAccounts => {
  const stripe = stripeClient(settings)
  return {
    connectAddress: (returnTo) => {
      const address = new URL('/oauth/authorize', settings.apiUrl ?? 'https://connect.stripe.com')
      const params = {
        response_type: 'code',
        scope: 'read_write',
        client_id: settings.clientId,
        redirect_uri: returnTo,
      }
      address.search = new URLSearchParams(params).toString()
      return address.href
    },
    connect: async (code) => {
      try {
        const { stripe_user_id: account } = await stripe.oauth.token({ grant_type: 'authorization_code', code })
        return account ? { state: 'connected', account } : { state: 'refused', message: invalidCodeMessage }
      } catch (error) {
        if (error instanceof Stripe.errors.StripeInvalidGrantError)
          return { state: 'refused', message: invalidCodeMessage }
        if (error instanceof Stripe.errors.StripeConnectionError || error instanceof Stripe.errors.StripeAPIError) {
          return { state: 'refused', message: unavailableMessage }
        }
        throw error
      }
    },
    registerDomain: async (account, domain) => {
      await stripe.paymentMethodDomains.create({ domain_name: domain }, { stripeAccount: account })
    },
  }
}
