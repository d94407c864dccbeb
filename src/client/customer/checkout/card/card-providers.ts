import type { PaymentProviderName } from '#contract/shapes/primitives.ts'
import { stripeProvider } from '../stripe/stripe-provider.ts'
import { testProvider } from '../test-provider/test-provider.tsx'
import type { CardProvider } from './card-provider.ts'

/** The client module of each payment provider. */
export const cardProviders: Readonly<Record<PaymentProviderName, CardProvider>> = {
  test: testProvider,
  stripe: stripeProvider,
}
