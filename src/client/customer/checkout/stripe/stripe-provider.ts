import { lazy } from 'react'
import type { CardProvider } from '../card/card-provider.ts'

/** Stripe's form and its script load on demand. */
export const stripeProvider: CardProvider = {
  acceptsCards: ({ publishableKey, account }) => publishableKey !== null && account !== null,
  needsTotal: true,
  validate: () => ({}),
  CardFields: lazy(async () => ({ default: (await import('./stripe-card-fields.tsx')).StripeCardFields })),
  BankStep: lazy(async () => ({ default: (await import('./stripe-bank-step.tsx')).StripeBankStep })),
}
