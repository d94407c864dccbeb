import { lazy } from 'react'
import type { PaymentProviderName } from '#contract/shapes/primitives.ts'
import { lazyWhenIdle } from '#platform/when-idle.ts'
import { Notice } from '#ui/feedback/notice.tsx'
import { validateTestCard } from '../test-provider/test-card.ts'
import { TestCardFields } from '../test-provider/test-card-fields.tsx'
import type { CardProvider } from './card-provider.ts'

/** Stripe's form and its script load on demand. */
const stripeProvider: CardProvider = {
  acceptsCards: ({ publishableKey, account }) => publishableKey !== null && account !== null,
  validate: () => ({}),
  CardFields: lazy(async () => ({ default: (await import('../stripe/stripe-card-fields.tsx')).StripeCardFields })),
  Wallet: lazyWhenIdle(async () => (await import('../stripe/stripe-wallet.tsx')).StripeWallet),
  BankStep: lazy(async () => ({ default: (await import('../stripe/stripe-bank-step.tsx')).StripeBankStep })),
}

/** The built-in test provider, which takes the card in this page. */
const testProvider: CardProvider = {
  acceptsCards: () => true,
  Notice: () => <Notice title="Test payments">Use 4242 4242 4242 4242, any future date, any security code.</Notice>,
  validate: validateTestCard,
  CardFields: TestCardFields,
  Wallet: lazyWhenIdle(async () => (await import('../test-provider/test-wallet.tsx')).TestWallet),
  BankStep: lazy(async () => ({ default: (await import('../test-provider/test-bank-step.tsx')).TestBankStep })),
}

/** The client module of each payment provider. */
export const cardProviders: Readonly<Record<PaymentProviderName, CardProvider>> = {
  test: testProvider,
  stripe: stripeProvider,
}
