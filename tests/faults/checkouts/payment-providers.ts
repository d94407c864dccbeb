import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { stripePayment } from '#server/payments/adapters/payment-stripe.ts'
import { testPayment } from '#server/payments/adapters/payment-test.ts'
import type { Payment } from '#server/payments/port/payment-provider.ts'
import { type StripeFault, startFakeStripe } from '#support/stripe/fake-stripe.ts'

/**
 * A fault of one charge attempt. `kill`: the server dies before the request to the provider, during it, or after the charge but before the
 * response. `break`: the connection to the provider breaks, before the request or after the charge. `late`: the response is delayed by this
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
  /** For the product's environment. */
  env: Record<string, string>
  /** The studio's account with it. */
  account: string | null
  token: (card: CardKind) => string
  /** The customer confirms on the bank's own page. */
  confirm: (attemptId: string) => void
  /** The payment port, for direct calls. */
  payment: Payment
  /** Its charges by its own ledger: the cents of each charge, by attempt. */
  charges: () => Promise<Map<string, number[]>>
  close: () => Promise<void>
}

type ProviderOptions = {
  dataDir: string
  /** The fault of an attempt; it happens once. */
  faultOf: (attemptId: string) => PaymentFault | undefined
  kill: () => Promise<void>
}

const tokens = { pays: 'test_visa', declines: 'test_declined', authenticates: 'test_authenticate' } as const

const builtIn = async ({ dataDir, faultOf: troubleOf, kill }: ProviderOptions): Promise<TestedProvider> => {
  const pending = new Map<string, PaymentFault>()
  const meet = async (attemptId: string, point: 'asked' | 'charged'): Promise<'go' | 'break'> => {
    if (point === 'asked') {
      const trouble = troubleOf(attemptId)
      if (trouble) pending.set(attemptId, trouble)
    }
    const trouble = pending.get(attemptId)
    if (!trouble) return 'go'
    const isNow = point === 'charged' || !('at' in trouble) || !['charged', 'after'].includes(trouble.at)
    if (!isNow) return 'go'
    pending.delete(attemptId)
    if (trouble.do === 'break') return 'break'
    if (trouble.do === 'late') await wait(trouble.forMs)
    else if (trouble.at === 'during') void wait(trouble.afterMs).then(kill)
    else await kill()
    return 'go'
  }
  const server = createServer(async (asked, answer) => {
    const { attemptId, point } = JSON.parse(await text(asked))
    answer.end(await meet(attemptId, point))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  const charges = async (): Promise<Map<string, number[]>> => {
    const folder = join(dataDir, 'test-payments')
    const made = new Map<string, number[]>()
    for (const name of await readdir(folder)) {
      const [, attemptId] = /^([0-9a-f-]{36})\.[12]$/.exec(name) ?? []
      if (attemptId === undefined) continue
      const { outcome, amountCents } = JSON.parse(await readFile(join(folder, name), 'utf8'))
      if (outcome.state === 'succeeded') made.set(attemptId, [...(made.get(attemptId) ?? []), amountCents])
    }
    return made
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
    payment: testPayment({ folder: join(dataDir, 'test-payments'), newId: randomUUID }),
    charges,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

const stripe = async ({ faultOf: troubleOf, kill }: ProviderOptions): Promise<TestedProvider> => {
  const peer = await startFakeStripe()
  const name = 'acct_checkouts'
  const account = peer.open(name)
  const attemptOf = (path: string): string | undefined => {
    const [, id] = /^\/v1\/payment_intents\/(\w+)\/confirm$/.exec(path) ?? []
    return account.intents.find((intent) => intent.id === id)?.metadata.attemptId
  }
  /** The remaining faults of an attempt's next requests: the server retries by itself. */
  const next = new Map<string, (() => StripeFault)[]>()
  const held = new Map<string, () => Promise<void>>()
  const killed = (fault: StripeFault) => (): StripeFault => {
    void kill()
    return fault
  }
  const planFor = (attemptId: string, trouble: PaymentFault): (() => StripeFault)[] => {
    if (trouble.do === 'late' || trouble.at === 'during') {
      held.set(attemptId, () => (trouble.do === 'late' ? wait(trouble.forMs) : kill()))
      return []
    }
    if (trouble.do === 'break') return [() => trouble.at, () => trouble.at]
    return trouble.at === 'begun' ? [killed('before')] : [() => 'after', killed('before')]
  }
  peer.ways.fault = ({ path }) => {
    const attemptId = attemptOf(path)
    if (attemptId === undefined) return 'none'
    const trouble = troubleOf(attemptId)
    if (trouble) next.set(attemptId, planFor(attemptId, trouble))
    return next.get(attemptId)?.shift()?.() ?? 'none'
  }
  peer.ways.hold = async ({ path }) => {
    const attemptId = attemptOf(path)
    const hold = attemptId !== undefined && held.get(attemptId)
    if (!hold) return
    held.delete(attemptId)
    await hold()
  }
  const { secretKey, publishableKey, webhookSecret, apiUrl } = peer.settings
  const charges = async () => {
    const made = new Map<string, number[]>()
    for (const { metadata, charge } of account.intents) {
      const { attemptId = '' } = metadata
      if (charge) made.set(attemptId, [...(made.get(attemptId) ?? []), charge.amount])
    }
    return made
  }
  return {
    env: {
      ...{ PAYMENT: 'stripe', STRIPE_SECRET_KEY: secretKey, STRIPE_PUBLISHABLE_KEY: publishableKey },
      ...{ STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_URL: apiUrl },
    },
    account: name,
    token: (card) => account.token(card),
    confirm: (attemptId) => {
      const asking = account.intents.find(
        ({ metadata, status }) => metadata.attemptId === attemptId && status === 'requires_action',
      )
      if (asking) account.bank(asking.id, 'confirmed')
    },
    payment: stripePayment(peer.settings),
    charges,
    close: peer.close,
  }
}

/** The adapters of the payment port that the product can start with. */
export const testedProviders = { builtIn, stripe } as const
