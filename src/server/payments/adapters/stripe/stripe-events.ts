import Stripe from 'stripe'
import type { PaymentEvents, ProviderEvent } from '#server/payments/port/payment-provider.ts'

const stringOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Verifies and reads Stripe's webhook events. The signature covers the raw body and is valid for five minutes. */
export const stripeEvents = ({
  secretKey,
  webhookSecret,
}: {
  secretKey: string
  webhookSecret: string
}): PaymentEvents => {
  const stripe = new Stripe(secretKey)
  return {
    read: async (body, headers): Promise<ProviderEvent | undefined> => {
      const signature = headers['stripe-signature']
      if (typeof signature !== 'string') return undefined
      try {
        const { id, type, account, data } = await stripe.webhooks.constructEventAsync(body, signature, webhookSecret)
        const { metadata } = data.object as { metadata?: Record<string, string> | null } // not every object has metadata
        const ids = { attemptId: stringOrNull(metadata?.attemptId), refundId: stringOrNull(metadata?.refundId) }
        const changesStatement = /^(payout|charge\.dispute)\./.test(type)
        return { id, kind: type, account: account ?? null, ...ids, changesStatement }
      } catch (error) {
        if (error instanceof Stripe.errors.StripeSignatureVerificationError) return undefined
        throw error
      }
    },
  }
}
