import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Infer } from 'superstruct'
import type { CartTotals, submitCheckout } from '#contract/customer/checkout-calls.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { retryPolicy } from '#domain/shared/retry-policy.ts'
import type { RandomSource } from '#support/network/fault-plans.ts'
import type { NetworkProxy } from '#support/network/network-proxy.ts'
import { add, completeLineContent } from '../../server/carts/cart-fixtures.ts'
import { details } from '../../server/payments/checkout-driver.ts'
import { randomPicker } from '../sequences/fault-sequence.ts'
import type { CardKind, PaymentFault, TestedProvider } from './payment-providers.ts'

/** What a shopper buys, and the faults on the way. */
export type CheckoutScenario = {
  quantity: number
  card: CardKind
  /** How many copies of the same submit are sent at once. */
  submitsAtOnce: number
  /** Fault at the provider. */
  paymentFault?: PaymentFault
  /** The server dies this long after a submit was sent, or when its response is ready but not sent; or the response is lost. */
  networkFault?: { kill: 'after'; ms: number } | { kill: 'answering' } | 'lose-answer'
  /** Without retries a shopper never asks for the result. */
  retries: boolean
}

/** Used in turn, so that a short run covers all of them. */
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

export const drawCheckoutScenario = (chance: RandomSource, n: number): CheckoutScenario => {
  const draw = randomPicker(chance)
  const happens = scenarioVariants[n % scenarioVariants.length]?.(draw) ?? {}
  return { quantity: 1 + draw.below(40), card: 'pays', submitsAtOnce: 1, retries: true, ...happens }
}

export type Shopper = {
  n: number
  scenario: CheckoutScenario
  cookie: string
  email: string
  checkoutId: string
  /** Every attempt, in the order of their start. */
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
  made: Package
  provider: TestedProvider
  kill: () => Promise<void>
  /** Plans a fault of an attempt at the provider. */
  plan: (attemptId: string, trouble: PaymentFault) => void
}

type SubmitResult = Infer<(typeof submitCheckout)['answer']>
/** What a phone reads of a response, by the contract of its calls. */
type PhoneResponse = { status: number | 'unreachable'; data?: Partial<CartTotals & SubmitResult>; problem?: string }

const timeoutMs = 30_000
/** A phone gives up after this many polls that report a pending payment. Polls while the server is down do not count. */
const maxPolls = 24
const pollIntervalMs = 400

/** The calls of one phone through its own proxy. */
const shopperApi = ({ proxy: line, shop }: CheckoutSetup, { cookie }: Shopper) => {
  const ask = async (method: string, path: string, body?: object): Promise<PhoneResponse> => {
    try {
      const answer = await fetch(`${line.url}/api/customer/jobs/${shop.jobId}/${path}`, {
        method,
        headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
        signal: AbortSignal.timeout(timeoutMs),
        ...(body && { body: JSON.stringify(body) }),
      })
      return { status: answer.status, ...((await answer.json()) as object) }
    } catch {
      return { status: 'unreachable' }
    }
  }
  /** Retries until the server responds. Every call is idempotent. */
  const insist = async (method: string, path: string, body?: object): Promise<PhoneResponse> => {
    for (;;) {
      const answer = await ask(method, path, body)
      const said = retryPolicy(answer.status, answer.problem)
      if (said === 'done') return answer
      if (said === 'refused') throw new Error(`${method} ${path} is refused: ${JSON.stringify(answer)}`)
      await wait(100)
    }
  }
  return { ask, insist }
}

const isSubmit = /\/checkout\/submit$/

/** Plans the network fault of the first submit. */
const planNetworkFault = ({ proxy: line, kill }: CheckoutSetup, { networkFault: onTheWay }: CheckoutScenario): void => {
  let isFirst = true
  line.setFaultPlan(({ path }) => {
    if (!isSubmit.test(path) || !isFirst || !onTheWay) return 'none'
    isFirst = false
    if (onTheWay === 'lose-answer') return 'cut-answer'
    if (onTheWay.kill === 'answering') return { meanwhile: kill }
    void wait(onTheWay.ms).then(kill)
    return 'none'
  })
}

/** The most conclusive of several responses to the same request. */
const conclusiveResponse = (answers: readonly PhoneResponse[]): PhoneResponse => {
  const worth = ({ status, data, problem }: PhoneResponse): number => {
    if (data?.outcome === 'ordered') return 3
    if (data) return 2
    return retryPolicy(status, problem) === 'refused' ? 1 : 0
  }
  const [best] = answers.toSorted((one, other) => worth(other) - worth(one))
  if (!best) throw new Error('nothing was asked')
  return best
}

/** Fills a cart, reads the total and pays, as a phone does. Retries the same attempt until its result is known. */
export const runShopper = async (counter: CheckoutSetup, shopper: Shopper): Promise<void> => {
  const { shop, made, provider, plan } = counter
  const { scenario: errand, checkoutId } = shopper
  const phone = shopperApi(counter, shopper)
  const line = add(made, shop.adaId, { quantity: errand.quantity, ...completeLineContent(made, shop.adaImageId) })
  await phone.insist('POST', 'cart/sync', { orderMethod: 'gallery', mutations: [line] })
  const { customer } = details()
  await phone.insist('POST', 'checkout', {
    checkoutId,
    ...details({ customer: { ...customer, email: shopper.email } }),
  })
  const look = async () => {
    const { data: totals } = await phone.insist('GET', 'checkout/totals?orderMethod=gallery')
    if (totals?.totalCents === undefined || totals.cartVersion === undefined)
      throw new Error('the totals have no total')
    shopper.totalCents = totals.totalCents
    return totals.cartVersion
  }
  const begin = async (card: CardKind) => {
    const attemptId = randomUUID()
    shopper.attempts.push(attemptId)
    const paymentToken = provider.token(card)
    return { orderMethod: 'gallery', checkoutId, attemptId, paymentToken, cartVersion: await look() }
  }
  let asking: Awaited<ReturnType<typeof begin>> & { authentication?: 'confirmed' } = await begin(errand.card)
  if (errand.paymentFault) plan(asking.attemptId, errand.paymentFault)
  planNetworkFault(counter, errand)
  let left = maxPolls
  for (let { submitsAtOnce: taps } = errand; left > 0; taps = 1) {
    const body = { ...asking, totalCents: shopper.totalCents }
    const answers = Array.from({ length: taps }, () => phone.ask('POST', 'checkout/submit', body))
    const { status, data, problem } = conclusiveResponse(await Promise.all(answers))
    if (data?.outcome === 'ordered') {
      shopper.orderNumber = data.orderNumber ?? null
      return
    }
    if (data?.outcome === 'requires-action') {
      provider.confirm(asking.attemptId)
      asking = { ...asking, authentication: 'confirmed' }
    } else if (problem === 'payment-declined') asking = await begin('pays')
    else if (retryPolicy(status, problem) === 'refused')
      throw new Error(`a submit is refused: ${JSON.stringify([status, problem])}`)
    else if (!errand.retries) return
    else {
      if (status !== 'unreachable') left -= 1
      await wait(pollIntervalMs)
    }
  }
}
