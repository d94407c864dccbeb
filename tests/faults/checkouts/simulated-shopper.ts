import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Infer } from 'superstruct'
import type { CartTotals, submitCheckout } from '#contract/customer/checkout-calls.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { verdict } from '#domain/shared/retry-policy.ts'
import type { Chance } from '#support/network/fault-plans.ts'
import type { Line } from '#support/network/network-proxy.ts'
import { add, filled } from '../../server/carts/cart-fixtures.ts'
import { details } from '../../server/payments/checkout-driver.ts'
import { drawFrom } from '../sequences/fault-sequence.ts'
import type { CardKind, Provider, Trouble } from './payment-providers.ts'

/** What somebody buys, and what comes in between. */
export type Errand = {
  quantity: number
  card: CardKind
  /** How often the same submit is sent at once. */
  taps: number
  /** On the provider's side. */
  trouble?: Trouble
  /** The server dies so long after a submit left the phone, or once its answer is made and nobody has it; or the answer is lost. */
  onTheWay?: { kill: 'after'; ms: number } | { kill: 'answering' } | 'lose-answer'
  /** Who does not come back never asks again. */
  comesBack: boolean
}

/** Each in its turn, so that a short run has all of them. */
const happenings: ((draw: ReturnType<typeof drawFrom>) => Partial<Errand>)[] = [
  () => ({}),
  () => ({ trouble: { do: 'kill', at: 'begun' } }),
  () => ({ taps: 2 }),
  (draw) => ({ trouble: { do: 'kill', at: 'during', afterMs: draw.below(30) / 10 } }),
  (draw) => ({ card: draw.of(['declines', 'authenticates']) }),
  () => ({ trouble: { do: 'kill', at: 'charged' } }),
  () => ({ onTheWay: 'lose-answer', taps: 2 }),
  () => ({ onTheWay: { kill: 'answering' } }),
  (draw) => ({ trouble: { do: 'late', forMs: 200 + draw.below(1500) }, taps: 2 }),
  (draw) => ({ onTheWay: { kill: 'after', ms: draw.below(40) } }),
  () => ({ trouble: { do: 'break', at: 'after' } }),
  (draw) => ({ onTheWay: { kill: 'after', ms: draw.below(40) }, taps: 3, card: draw.of(['pays', 'authenticates']) }),
  () => ({ trouble: { do: 'break', at: 'before' } }),
  () => ({ trouble: { do: 'kill', at: 'charged' }, comesBack: false }),
]

export const drawErrand = (chance: Chance, n: number): Errand => {
  const draw = drawFrom(chance)
  const happens = happenings[n % happenings.length]?.(draw) ?? {}
  return { quantity: 1 + draw.below(40), card: 'pays', taps: 1, comesBack: true, ...happens }
}

export type Shopper = {
  n: number
  errand: Errand
  cookie: string
  email: string
  checkoutId: string
  /** Every attempt, in the order they were begun. */
  attempts: string[]
  /** What the review showed. */
  totalCents: number
  /** What the phone was told in the end: the order's number, or nothing. */
  heard: string | null
}

type Shop = { jobId: number; adaId: number; adaImageId: number }
export type Counter = {
  line: Line
  shop: Shop
  made: Package
  provider: Provider
  kill: () => Promise<void>
  /** What is to befall an attempt at the provider's. */
  plan: (attemptId: string, trouble: Trouble) => void
}

type Submitted = Infer<(typeof submitCheckout)['answer']>
/** What a phone reads of an answer, by the contract of the calls it makes. */
type Answer = { status: number | 'unreachable'; data?: Partial<CartTotals & Submitted>; problem?: string }

const patienceMs = 30_000
/** So often is somebody told that it is still being worked on before the phone is put away; a server that is not there counts for nothing. */
const looks = 24
const lookMs = 400

/** One phone at the counter: its calls go over its own line. */
const phoneOf = ({ line, shop }: Counter, { cookie }: Shopper) => {
  const ask = async (method: string, path: string, body?: object): Promise<Answer> => {
    try {
      const answer = await fetch(`${line.url}/api/customer/jobs/${shop.jobId}/${path}`, {
        method,
        headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
        signal: AbortSignal.timeout(patienceMs),
        ...(body && { body: JSON.stringify(body) }),
      })
      return { status: answer.status, ...((await answer.json()) as object) }
    } catch {
      return { status: 'unreachable' }
    }
  }
  /** Until it is done: what is asked may be asked again. */
  const insist = async (method: string, path: string, body?: object): Promise<Answer> => {
    for (;;) {
      const answer = await ask(method, path, body)
      const said = verdict(answer.status, answer.problem)
      if (said === 'done') return answer
      if (said === 'refused') throw new Error(`${method} ${path} is refused: ${JSON.stringify(answer)}`)
      await wait(100)
    }
  }
  return { ask, insist }
}

const isSubmit = /\/checkout\/submit$/

/** What the line does to the first submit. */
const troubleOnTheWay = ({ line, kill }: Counter, { onTheWay }: Errand): void => {
  let isFirst = true
  line.plan(({ path }) => {
    if (!isSubmit.test(path) || !isFirst || !onTheWay) return 'none'
    isFirst = false
    if (onTheWay === 'lose-answer') return 'cut-answer'
    if (onTheWay.kill === 'answering') return { meanwhile: kill }
    void wait(onTheWay.ms).then(kill)
    return 'none'
  })
}

/** Of several answers to one question the one that tells most. */
const mostTelling = (answers: readonly Answer[]): Answer => {
  const worth = ({ status, data, problem }: Answer): number => {
    if (data?.outcome === 'ordered') return 3
    if (data) return 2
    return verdict(status, problem) === 'refused' ? 1 : 0
  }
  const [best] = answers.toSorted((one, other) => worth(other) - worth(one))
  if (!best) throw new Error('nothing was asked')
  return best
}

/** Fills a cart, looks at the total and pays, as a phone does it: the same attempt again until it is known what became of it. */
export const goShopping = async (counter: Counter, shopper: Shopper): Promise<void> => {
  const { shop, made, provider, plan } = counter
  const { errand, checkoutId } = shopper
  const phone = phoneOf(counter, shopper)
  const line = add(made, shop.adaId, { quantity: errand.quantity, ...filled(made, shop.adaImageId) })
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
  if (errand.trouble) plan(asking.attemptId, errand.trouble)
  troubleOnTheWay(counter, errand)
  let left = looks
  for (let { taps } = errand; left > 0; taps = 1) {
    const body = { ...asking, totalCents: shopper.totalCents }
    const answers = Array.from({ length: taps }, () => phone.ask('POST', 'checkout/submit', body))
    const { status, data, problem } = mostTelling(await Promise.all(answers))
    if (data?.outcome === 'ordered') {
      shopper.heard = data.orderNumber ?? null
      return
    }
    if (data?.outcome === 'requires-action') {
      provider.confirm(asking.attemptId)
      asking = { ...asking, authentication: 'confirmed' }
    } else if (problem === 'payment-declined') asking = await begin('pays')
    else if (verdict(status, problem) === 'refused')
      throw new Error(`a submit is refused: ${JSON.stringify([status, problem])}`)
    else if (!errand.comesBack) return
    else {
      if (status !== 'unreachable') left -= 1
      await wait(lookMs)
    }
  }
}
