import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import type { PaymentProviderName } from '#contract/shapes/primitives.ts'
import { testPayment } from '#server/payments/adapters/payment-test.ts'
import { stripePayment } from '#server/payments/adapters/stripe/payment-stripe.ts'
import type { Payment } from '#server/payments/port/payment-provider.ts'
import { type StripeFault, startFakeStripe } from '#support/stripe/fake-stripe.ts'

/**
 * A fault of one charge attempt. `kill`: the server is killed before the request to the provider, during it, or after the charge but before
 * the response. `break`: the connection to the provider breaks, before the request or after the charge. `late`: the response is delayed by this
 * time.
 */
export type PaymentFault =
  | { do: 'kill'; at: 'begun' | 'charged' }
  | { do: 'kill'; at: 'during'; afterMs: number }
  | { do: 'break'; at: 'before' | 'after' }
  | { do: 'late'; forMs: number }

export type CardKind = 'pays' | 'declines' | 'authenticates'

/** A payment provider under test. */
export type TestedProvider = {
  /** Environment variables of the product. */
  env: Record<string, string>
  /** The studio's account at the provider, or null. */
  account: string | null
  token: (card: CardKind) => string
  /** Confirms the payment, as the customer does on the bank's page. */
  confirm: (attemptId: string) => void
  /** The payment port, for direct calls. */
  payment: Payment
  /** The cents of each charge by attempt, as the provider recorded them. */
  charges: () => Promise<Map<string, number[]>>
  close: () => Promise<void>
}

type ProviderOptions = {
  dataDir: string
  /** Takes the planned fault of an attempt, which occurs once. */
  faultOf: (attemptId: string) => PaymentFault | undefined
  kill: () => Promise<void>
}

const tokens = { pays: 'test_visa', declines: 'test_declined', authenticates: 'test_authenticate' } as const

const builtIn = async ({ dataDir, faultOf, kill }: ProviderOptions): Promise<TestedProvider> => {
  const pending = new Map<string, PaymentFault>()
  const applyFault = async (attemptId: string, point: 'requested' | 'charged'): Promise<'go' | 'break'> => {
    if (point === 'requested') {
      const fault = faultOf(attemptId)
      if (fault) pending.set(attemptId, fault)
    }
    const pendingFault = pending.get(attemptId)
    if (!pendingFault) return 'go'
    const isNow = point === 'charged' || !('at' in pendingFault) || !['charged', 'after'].includes(pendingFault.at)
    if (!isNow) return 'go'
    pending.delete(attemptId)
    if (pendingFault.do === 'break') return 'break'
    if (pendingFault.do === 'late') await wait(pendingFault.forMs)
    else if (pendingFault.at === 'during') void wait(pendingFault.afterMs).then(kill)
    else await kill()
    return 'go'
  }
  const server = createServer(async (incoming, response) => {
    const { attemptId, point } = JSON.parse(await text(incoming))
    response.end(await applyFault(attemptId, point))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  const charges = async (): Promise<Map<string, number[]>> => {
    const folder = join(dataDir, 'test-payments')
    const centsByAttempt = new Map<string, number[]>()
    for (const name of await readdir(folder)) {
      const [, attemptId] = /^([0-9a-f-]{36})\.[12]$/.exec(name) ?? []
      if (attemptId === undefined) continue
      const { outcome, amountCents } = JSON.parse(await readFile(join(folder, name), 'utf8'))
      if (outcome.state === 'succeeded')
        centsByAttempt.set(attemptId, [...(centsByAttempt.get(attemptId) ?? []), amountCents])
    }
    return centsByAttempt
  }
  return {
    env: {
      PAYMENT: 'test',
      POINTS_URL: `http://127.0.0.1:${port}`,
      NODE_OPTIONS: `--import ${new URL('provider-checkpoints.ts', import.meta.url)}`,
    },
    account: null,
    token: (card) => tokens[card],
    confirm: () => undefined,
    payment: testPayment({ folder: join(dataDir, 'test-payments'), newId: randomUUID, clock: () => new Date() }),
    charges,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

const stripe = async ({ faultOf, kill }: ProviderOptions): Promise<TestedProvider> => {
  const fakeStripe = await startFakeStripe()
  const accountId = 'acct_checkouts'
  const account = fakeStripe.open(accountId)
  const findAttemptId = (path: string): string | undefined => {
    const [, id] = /^\/v1\/payment_intents\/(\w+)\/confirm$/.exec(path) ?? []
    return account.intents.find((intent) => intent.id === id)?.metadata.attemptId
  }
  /** The faults of an attempt's next requests. There may be several, because the server retries. */
  const nextFaults = new Map<string, (() => StripeFault)[]>()
  const delays = new Map<string, () => Promise<void>>()
  const killAnd = (fault: StripeFault) => (): StripeFault => {
    void kill()
    return fault
  }
  const planFaults = (attemptId: string, fault: PaymentFault): (() => StripeFault)[] => {
    if (fault.do === 'late' || fault.at === 'during') {
      delays.set(attemptId, () => (fault.do === 'late' ? wait(fault.forMs) : kill()))
      return []
    }
    if (fault.do === 'break') return [() => fault.at, () => fault.at]
    return fault.at === 'begun' ? [killAnd('before')] : [() => 'after', killAnd('before')]
  }
  fakeStripe.behaviour.fault = ({ path }) => {
    const attemptId = findAttemptId(path)
    if (attemptId === undefined) return 'none'
    const fault = faultOf(attemptId)
    if (fault) nextFaults.set(attemptId, planFaults(attemptId, fault))
    return nextFaults.get(attemptId)?.shift()?.() ?? 'none'
  }
  fakeStripe.behaviour.hold = async ({ path }) => {
    const attemptId = findAttemptId(path)
    const delay = attemptId !== undefined && delays.get(attemptId)
    if (!delay) return
    delays.delete(attemptId)
    await delay()
  }
  const { secretKey, publishableKey, webhookSecret, apiUrl } = fakeStripe.settings
  const charges = async () => {
    const centsByAttempt = new Map<string, number[]>()
    for (const { metadata, charge } of account.intents) {
      const { attemptId = '' } = metadata
      if (charge) centsByAttempt.set(attemptId, [...(centsByAttempt.get(attemptId) ?? []), charge.amount])
    }
    return centsByAttempt
  }
  return {
    env: {
      ...{ PAYMENT: 'stripe', STRIPE_SECRET_KEY: secretKey, STRIPE_PUBLISHABLE_KEY: publishableKey },
      ...{ STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_URL: apiUrl },
    },
    account: accountId,
    token: (card) => account.token(card),
    confirm: (attemptId) => {
      const pendingIntent = account.intents.find(
        ({ metadata, status }) => metadata.attemptId === attemptId && status === 'requires_action',
      )
      if (pendingIntent) account.bank(pendingIntent.id, 'confirmed')
    },
    payment: stripePayment(fakeStripe.settings),
    charges,
    close: fakeStripe.close,
  }
}

/** The payment providers of the product. The code does not compile until a new provider is added here. */
export const testedProviders = { test: builtIn, stripe } as const satisfies Record<PaymentProviderName, typeof builtIn>
