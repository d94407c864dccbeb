import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Infer } from 'superstruct'
import type { CartTotals, submitCheckout } from '#contract/customer/checkout-calls.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { retryPolicy } from '#domain/shared/retry-policy.ts'
import type { RandomSource } from '#support/network/fault-plans.ts'
import type { NetworkProxy } from '#support/network/network-proxy.ts'
import { addLine, completeLineContent } from '#tests/server/carts/cart-fixtures.ts'
import { details } from '#tests/server/payments/checkout-driver.ts'
import { randomPicker } from '../sequences/fault-sequence.ts'
import type { CardKind, PaymentFault, TestedProvider } from './payment-providers.ts'

/** What a shopper buys, and the faults during the checkout. */
export type CheckoutScenario = {
  quantity: number
  card: CardKind
  /** How many copies of the same submit are sent at once. */
  submitsAtOnce: number
  /** Fault at the provider. */
  paymentFault?: PaymentFault
  /** The server is killed some time after the submit, or before it sends its response, or the response is lost. */
  networkFault?: { kill: 'after'; ms: number } | { kill: 'answering' } | 'lose-answer'
  /** Whether the shopper retries until the result is known. */
  retries: boolean
}

/** Each shopper takes the variant after that of the previous shopper, so that a short run covers all of them. */
const scenarioVariants: ((draw: ReturnType<typeof randomPicker>) => Partial<CheckoutScenario>)[] = [
  () => ({}),
  () => ({ paymentFault: { do: 'kill', at: 'begun' } }),
  () => ({ submitsAtOnce: 2 }),
  (draw) => ({ paymentFault: { do: 'kill', at: 'during', afterMs: draw.below(30) / 10 } }),
  (draw) => ({ card: draw.of(['declines', 'authenticates']) }),
  () => ({ paymentFault: { do: 'kill', at: 'charged' } }),
  () => ({ networkFault: 'lose-answer', submitsAtOnce: 2 }),
  () => ({ networkFault: { kill: 'answering' } }),
  (draw) => ({ paymentFault: { do: 'late', forMs: 200 + draw.below(1500) }, submitsAtOnce: 2 }),
  (draw) => ({ networkFault: { kill: 'after', ms: draw.below(40) } }),
  () => ({ paymentFault: { do: 'break', at: 'after' } }),
  (draw) => ({
    networkFault: { kill: 'after', ms: draw.below(40) },
    submitsAtOnce: 3,
    card: draw.of(['pays', 'authenticates']),
  }),
  () => ({ paymentFault: { do: 'break', at: 'before' } }),
  () => ({ paymentFault: { do: 'kill', at: 'charged' }, retries: false }),
]

export const drawCheckoutScenario = (random: RandomSource, n: number): CheckoutScenario => {
  const draw = randomPicker(random)
  const variant = scenarioVariants[n % scenarioVariants.length]?.(draw) ?? {}
  return { quantity: 1 + draw.below(40), card: 'pays', submitsAtOnce: 1, retries: true, ...variant }
}

export type Shopper = {
  n: number
  scenario: CheckoutScenario
  cookie: string
  email: string
  checkoutId: string
  /** The ids of all attempts, oldest first. */
  attempts: string[]
  /** The total that the review showed. */
  totalCents: number
  /** The order number that the phone got in the end, or null. */
  orderNumber: string | null
}

type ShopIds = { jobId: number; adaId: number; adaImageId: number }
export type CheckoutSetup = {
  proxy: NetworkProxy
  shop: ShopIds
  print: Package
  provider: TestedProvider
  kill: () => Promise<void>
  /** Plans a fault of an attempt at the provider. */
  plan: (attemptId: string, fault: PaymentFault) => void
}

type SubmitResult = Infer<(typeof submitCheckout)['answer']>
/** What a phone reads of a response, by the contract of its calls. */
type PhoneResponse = { status: number | 'unreachable'; data?: Partial<CartTotals & SubmitResult>; problem?: string }

const timeoutMs = 30_000
/** A phone gives up after this many polls that report a pending payment. Polls while the server is down do not count. */
const maxPolls = 24
const pollIntervalMs = 400

/** The calls of one phone through its own proxy. */
const shopperApi = ({ proxy, shop }: CheckoutSetup, { cookie }: Shopper) => {
  const call = async (method: string, path: string, body?: object): Promise<PhoneResponse> => {
    try {
      const response = await fetch(`${proxy.url}/api/customer/jobs/${shop.jobId}/${path}`, {
        method,
        headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
        signal: AbortSignal.timeout(timeoutMs),
        ...(body && { body: JSON.stringify(body) }),
      })
      return { status: response.status, ...((await response.json()) as object) }
    } catch {
      return { status: 'unreachable' }
    }
  }
  /** Retries until the server responds. Every call is idempotent. */
  const callUntilAnswered = async (method: string, path: string, body?: object): Promise<PhoneResponse> => {
    for (;;) {
      const response = await call(method, path, body)
      const decision = retryPolicy(response.status, response.problem)
      if (decision === 'done') return response
      if (decision === 'rejected') throw new Error(`${method} ${path} was rejected: ${JSON.stringify(response)}`)
      await wait(100)
    }
  }
  return { call, callUntilAnswered }
}

const isSubmit = /\/checkout\/submit$/

/** Plans the network fault of the first submit. */
const planNetworkFault = ({ proxy, kill }: CheckoutSetup, { networkFault }: CheckoutScenario): void => {
  let isFirst = true
  proxy.setFaultPlan(({ path }) => {
    if (!isSubmit.test(path) || !isFirst || !networkFault) return 'none'
    isFirst = false
    if (networkFault === 'lose-answer') return 'cut-answer'
    if (networkFault.kill === 'answering') return { meanwhile: kill }
    void wait(networkFault.ms).then(kill)
    return 'none'
  })
}

/** The most conclusive of several responses to the same request. */
const conclusiveResponse = (responses: readonly PhoneResponse[]): PhoneResponse => {
  const rank = ({ status, data, problem }: PhoneResponse): number => {
    if (data?.outcome === 'ordered') return 3
    if (data) return 2
    return retryPolicy(status, problem) === 'rejected' ? 1 : 0
  }
  const [mostConclusive] = responses.toSorted((a, b) => rank(b) - rank(a))
  if (!mostConclusive) throw new Error('there is no response')
  return mostConclusive
}

/** Fills a cart, reads the total and pays, as a phone does. Retries the same attempt until its result is known. */
export const runShopper = async (setup: CheckoutSetup, shopper: Shopper): Promise<void> => {
  const { shop, print, provider, plan } = setup
  const { scenario, checkoutId } = shopper
  const phone = shopperApi(setup, shopper)
  const line = addLine(print, shop.adaId, {
    quantity: scenario.quantity,
    ...completeLineContent(print, shop.adaImageId),
  })
  await phone.callUntilAnswered('POST', 'cart/sync', { orderMethod: 'gallery', mutations: [line] })
  const { customer } = details()
  await phone.callUntilAnswered('POST', 'checkout', {
    checkoutId,
    ...details({ customer: { ...customer, email: shopper.email } }),
  })
  const readCartVersion = async () => {
    const { data: totals } = await phone.callUntilAnswered('GET', 'checkout/totals?orderMethod=gallery')
    if (totals?.totalCents === undefined || totals.cartVersion === undefined)
      throw new Error('the totals have no total')
    shopper.totalCents = totals.totalCents
    return totals.cartVersion
  }
  const startAttempt = async (card: CardKind) => {
    const attemptId = randomUUID()
    shopper.attempts.push(attemptId)
    const paymentToken = provider.token(card)
    return { orderMethod: 'gallery', checkoutId, attemptId, paymentToken, cartVersion: await readCartVersion() }
  }
  let submission: Awaited<ReturnType<typeof startAttempt>> & { authentication?: 'confirmed' } = await startAttempt(
    scenario.card,
  )
  if (scenario.paymentFault) plan(submission.attemptId, scenario.paymentFault)
  planNetworkFault(setup, scenario)
  let remainingPolls = maxPolls
  for (let { submitsAtOnce: copies } = scenario; remainingPolls > 0; copies = 1) {
    const body = { ...submission, totalCents: shopper.totalCents }
    const responses = Array.from({ length: copies }, () => phone.call('POST', 'checkout/submit', body))
    const { status, data, problem } = conclusiveResponse(await Promise.all(responses))
    if (data?.outcome === 'ordered') {
      shopper.orderNumber = data.orderNumber ?? null
      return
    }
    if (data?.outcome === 'requires-action') {
      provider.confirm(submission.attemptId)
      submission = { ...submission, authentication: 'confirmed' }
    } else if (problem === 'payment-declined') submission = await startAttempt('pays')
    else if (retryPolicy(status, problem) === 'rejected')
      throw new Error(`a submit was rejected: ${JSON.stringify([status, problem])}`)
    else if (!scenario.retries) return
    else {
      if (status !== 'unreachable') remainingPolls -= 1
      await wait(pollIntervalMs)
    }
  }
}
