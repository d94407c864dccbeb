import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { PaymentProviderName } from '#contract/shapes/primitives.ts'
import type { Deps } from '#server/deps.ts'
import type { Settings } from '#server/env.ts'
import type { PaymentSettings } from '#server/env-variables.ts'
import type { ProviderOrigins } from '../port/payment-provider.ts'
import { testPayment } from './payment-test.ts'
import { testStatements } from './payment-test-statements.ts'

type Payments = Pick<Deps, 'payment' | 'paymentStatements' | 'paymentEvents' | 'paymentAccounts'>
type PaymentAdapter<AdapterSettings> = {
  readonly origins: ProviderOrigins
  readonly open: (settings: AdapterSettings, dataDir: string) => Promise<Payments>
}

/** Opens the built-in provider, with its record in the folder of the data. */
export const openTestPayment = (dataDir: string, clock = () => new Date()): Payments => {
  const record = { folder: join(dataDir, 'test-payments'), newId: randomUUID, clock }
  return {
    payment: testPayment(record),
    paymentStatements: testStatements(record),
    paymentEvents: null,
    paymentAccounts: null,
  }
}

/** One entry for each provider. An adapter with a large library loads it in `open`. */
const adapters: {
  readonly [Name in PaymentProviderName]: PaymentAdapter<Extract<PaymentSettings, { adapter: Name }>>
} = {
  test: {
    origins: { scripts: [], frames: [], calls: [] },
    open: async (_, dataDir) => openTestPayment(dataDir),
  },
  stripe: {
    // docs.stripe.com/security/guide
    origins: {
      scripts: ['https://js.stripe.com', 'https://*.js.stripe.com'],
      frames: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
      calls: ['https://api.stripe.com'],
    },
    open: async ({ clientId, ...keys }) => {
      const { stripePayment } = await import('./stripe/payment-stripe.ts')
      const { stripeStatements } = await import('./stripe/stripe-statements.ts')
      const { stripeEvents } = await import('./stripe/stripe-events.ts')
      const { stripeAccounts } = await import('./stripe/stripe-accounts.ts')
      return {
        payment: stripePayment(keys),
        paymentStatements: stripeStatements(keys),
        paymentEvents: stripeEvents(keys),
        paymentAccounts: clientId === undefined ? null : stripeAccounts({ ...keys, clientId }),
      }
    },
  },
}

/** Opens the configured provider. */
export const openPayment = ({ payment, dataDir }: Pick<Settings, 'payment' | 'dataDir'>): Promise<Payments> => {
  const open = adapters[payment.adapter].open as PaymentAdapter<PaymentSettings>['open'] // the adapter of these settings
  return open(payment, dataDir)
}

const originsOf = (kind: keyof ProviderOrigins): string[] =>
  Object.values(adapters).flatMap(({ origins }) => origins[kind])

/** The origins of all providers. */
export const paymentOrigins: ProviderOrigins = {
  scripts: originsOf('scripts'),
  frames: originsOf('frames'),
  calls: originsOf('calls'),
}
