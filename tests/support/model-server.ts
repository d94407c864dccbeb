import { Mutation as MutationStruct } from '../../src/contract/cart.ts'
import { type ProblemName, problems } from '../../src/contract/problems.ts'
import { type Cart, emptyCart, type LineSnapshot } from '../../src/domain/cart.ts'
import { applyMutation, cartProblemSentences } from '../../src/domain/cart-rules.ts'
import type { OrderMethod } from '../../src/domain/catalogue.ts'
import type { Mutation } from '../../src/domain/mutation.ts'
import type { ServiceSnapshot } from '../../src/domain/order-services.ts'
import type { Carry, Letter, Reply } from '../../src/local/ask.ts'

/**
 * What may go wrong with a request. `cut-before`: it never arrives; `cut-after`: all is done, the answer is lost; `cut-midway`: half of
 * its mutations are done, then the line breaks; a number: that status, nothing done; `session-lost`: sessions and carts are gone.
 */
export type Fault = 'cut-before' | 'cut-after' | 'cut-midway' | 'session-lost' | 409 | 429 | 500 | 503

type Result = { id: string; status: 'done' | 'refused'; problem?: string; errors?: string[] }
type Visit = { jobs: Set<number>; subjects: Set<number> }

export type ModelServer = {
  carry: Carry
  /** Taken from the front, one for each request; none left means all is well. */
  faults: Fault[]
  /** How often each mutation took effect in each life: one that forgot its carts and its answers does an old mutation anew. */
  effects: Map<string, number>
  /** Every request that arrived, `METHOD path`. */
  arrived: string[]
  /** The most requests that were ever under way at once. */
  crowd: () => number
  cart: (jobId: number, orderMethod: OrderMethod) => Cart
  /** The next mutations this names are refused for a reason of the server's own. */
  refuses: (mutation: Mutation) => boolean
  /** Whole requests this names are answered 422, as by a server that cannot read them. */
  chokes: (mutation: Mutation) => boolean
  codes: Map<string, number>
  /** The people this session confirmed. */
  confirmed: () => number[]
  /** The cart of this job is being paid. */
  setState: (jobId: number, orderMethod: OrderMethod, state: Cart['state']) => void
  forget: () => void
  /** As after a restore of a backup that knew this session, but not yet whom it had confirmed. */
  forgetPeople: () => void
}

/** Two seconds of signal: a new session is opened, what comes after it is cut. */
export const openedOnly =
  ({ carry }: ModelServer): Carry =>
  async (letter) => {
    if (!letter.url.endsWith('/session')) throw new Error('the line is cut')
    return await carry(letter)
  }

type Catalogue = (packageId: number, version: number) => LineSnapshot | null

const reply = (status: number, body: unknown): Reply => ({ status, text: JSON.stringify(body), retryAfter: null })
const problem = (name: ProblemName): Reply =>
  reply(problems[name].status, { errors: [problems[name].sentence], problem: name })

/** What the search would have given with this person. */
export const proofOf = (subjectId: number): string => `found ${subjectId}`

/** What cannot be read is refused alone. */
const unread = (found: unknown): Result => {
  const id = typeof found === 'object' && found !== null && 'id' in found ? String(found.id) : ''
  return { id, status: 'refused', problem: 'bad-request', errors: [problems['bad-request'].sentence] }
}

/**
 * An honest model of the server's side of a cart, in memory: sessions, codes, and `cart/sync` with one recorded result for each
 * mutation, run by the same rules. It answers over the wire, so that writing and reading of calls are part of every test.
 */
export const createModelServer = (
  catalogue: Catalogue,
  services: (orderServiceId: number) => ServiceSnapshot | null = () => null,
): ModelServer => {
  let visit: Visit | null = null
  let carts = new Map<string, Cart>()
  let results = new Map<string, Result>()
  let nextId = 1
  let underWay = 0
  let crowd = 0
  let life = 1

  const cartOf = (jobId: number, orderMethod: OrderMethod): Cart => {
    const name = `${jobId} ${orderMethod}`
    const known = carts.get(name)
    if (known && known.state !== 'ordered') return known
    const made = { ...emptyCart(jobId, orderMethod), id: nextId++, version: 1 }
    carts.set(name, made)
    return made
  }
  const keep = (cart: Cart): void => void carts.set(`${cart.jobId} ${cart.orderMethod}`, cart)

  const applyOne = (found: unknown, jobId: number, orderMethod: OrderMethod): Result => {
    if (!MutationStruct.is(found)) return unread(found)
    const mutation: Mutation = found
    const recorded = results.get(mutation.id)
    if (recorded) return recorded
    const result = decide(mutation, jobId, orderMethod)
    results.set(mutation.id, result)
    return result
  }

  const decide = (mutation: Mutation, jobId: number, orderMethod: OrderMethod): Result => {
    const { id } = mutation
    if (server.refuses(mutation))
      return { id, status: 'refused', problem: 'refused', errors: ['Not on offer any more'] }
    const isMade = mutation.do === 'line.add' || mutation.do === 'line.accept'
    if (!mayOrderFor(mutation, cartOf(jobId, orderMethod))) {
      return { id, status: 'refused', problem: 'grant-needed', errors: [problems['grant-needed'].sentence] }
    }
    const packageId = mutation.do === 'line.add' ? mutation.packageId : lineOf(mutation, jobId, orderMethod)
    const snapshot = isMade ? catalogue(packageId, mutation.packageVersion) : null
    const served = mutation.do === 'service.set' ? services(mutation.orderServiceId) : null
    const applied = applyMutation(cartOf(jobId, orderMethod), mutation, snapshot ?? served)
    if (!applied.ok) {
      const { problem } = applied
      return { id, status: 'refused', problem, errors: [cartProblemSentences[problem]] }
    }
    const cartPackages = applied.cart.cartPackages.map((line) => ({ ...line, id: line.id ?? nextId++ }))
    keep({ ...applied.cart, cartPackages, version: applied.cart.version + 1 })
    const effect = `${id} in life ${life}`
    server.effects.set(effect, (server.effects.get(effect) ?? 0) + 1)
    return { id, status: 'done' }
  }

  /** As the server does: what chooses for one of the studio's people needs their confirmation, what takes away or counts does not. */
  const mayOrderFor = (mutation: Mutation, cart: Cart): boolean => {
    const line = mutation.do === 'line.customise' && cart.cartPackages.find((one) => one.lineId === mutation.lineId)
    const about =
      mutation.do === 'line.add' || mutation.do === 'service.set' || mutation.do === 'pose.set' ? mutation : line
    return !about || about.subjectId === null || (visit?.subjects.has(about.subjectId) ?? false)
  }

  const lineOf = (mutation: Mutation, jobId: number, orderMethod: OrderMethod): number => {
    const lineId = 'lineId' in mutation ? mutation.lineId : ''
    return cartOf(jobId, orderMethod).cartPackages.find((line) => line.lineId === lineId)?.packageId ?? 0
  }

  const sync = (jobId: number, body: { orderMethod: OrderMethod; mutations: unknown[] }, half: boolean): Reply => {
    if (body.mutations.some((one) => server.chokes(one as Mutation))) return problem('refused') // as sent by our own device
    const heard = half ? body.mutations.slice(0, Math.floor(body.mutations.length / 2)) : body.mutations
    const answers = heard.map((one) => applyOne(one, jobId, body.orderMethod))
    return reply(200, { data: { results: answers, cart: cartOf(jobId, body.orderMethod) } })
  }

  const redeem = (code: string): Reply => {
    const jobId = server.codes.get(code)
    if (jobId === undefined) return problem('not-found')
    visit ??= { jobs: new Set(), subjects: new Set() }
    visit.jobs.add(jobId)
    return reply(200, { data: { jobId, studioId: 1, jobName: 'Spring Portraits', subject: null } })
  }

  const ofJob = (jobId: number, letter: Letter, half: boolean): Reply => {
    if (visit === null) return problem('session-unknown')
    if (!visit.jobs.has(jobId)) return problem('code-needed')
    const body = JSON.parse(letter.body ?? '{}')
    if (letter.url.endsWith('/cart/sync')) return sync(jobId, body, half)
    if (letter.url.includes('/cart?')) {
      return reply(200, { data: cartOf(jobId, letter.url.endsWith('prepay') ? 'prepay' : 'gallery') })
    }
    if (body.proof !== proofOf(body.subjectId)) return problem('not-found')
    visit.subjects.add(body.subjectId)
    const person = { id: body.subjectId, jobId, firstName: 'Ada', lastName: 'Lovelace', groupName: null, fields: [] }
    return reply(200, { data: { ...person, imageThumbnailUrl: null, imageCount: 1, grantId: 'g1' } })
  }

  const answer = (letter: Letter, half: boolean): Reply => {
    if (letter.url === '/api/customer/session') {
      const created = visit === null
      visit ??= { jobs: new Set(), subjects: new Set() }
      return reply(200, { data: { created } })
    }
    const code = /\/jobs\?code=(.+)$/.exec(letter.url)?.[1]
    if (code) return redeem(decodeURIComponent(code))
    return ofJob(Number(/\/jobs\/(\d+)\//.exec(letter.url)?.[1]), letter, half)
  }

  const carry: Carry = async (letter) => {
    const fault = server.faults.shift()
    if (fault === 'cut-before') throw new Error('cut before')
    underWay += 1
    crowd = Math.max(crowd, underWay)
    try {
      // An answer takes its time, so that two senders who know nothing of each other would meet here.
      for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve))
      server.arrived.push(`${letter.method} ${letter.url}`)
      if (fault === 'session-lost') server.forget()
      if (fault === 409) return problem('in-flight')
      if (typeof fault === 'number') return reply(fault, { errors: ['We will be back in a moment'] })
      const answered = answer(letter, fault === 'cut-midway')
      if (fault === 'cut-after' || fault === 'cut-midway') throw new Error(fault)
      return answered
    } finally {
      underWay -= 1
    }
  }

  const server: ModelServer = {
    carry,
    faults: [],
    effects: new Map(),
    arrived: [],
    crowd: () => crowd,
    cart: cartOf,
    refuses: () => false,
    chokes: () => false,
    codes: new Map([['SPRING', 1]]),
    confirmed: () => [...(visit?.subjects ?? [])],
    setState: (jobId, orderMethod, state) => {
      const cart = cartOf(jobId, orderMethod)
      keep({ ...cart, state, version: cart.version + 1 })
    },
    forgetPeople: () => visit?.subjects.clear(),
    forget: () => {
      life += 1
      visit = null
      carts = new Map()
      results = new Map()
    },
  }
  return server
}
