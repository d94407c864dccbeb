import { is } from 'superstruct'
import { getCart, syncCart } from '#contract/customer/cart-calls.ts'
import { confirmSubject } from '#contract/customer/discovery-calls.ts'
import { type ProblemName, problems } from '#contract/shapes/problems.ts'
import type { Cart } from '#domain/cart/cart.ts'
import type { Mutation } from '#domain/cart/mutation.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { normaliseAccessCode } from '#domain/subjects/access-code.ts'
import type { HttpRequest, HttpResponse, Transport } from '#local/transport/request.ts'
import type { ModelJob, ModelSubject } from './model-job.ts'
import {
  canonicalJson,
  type ModelSession,
  type ModelState,
  modelCartKey,
  modelCartOf,
  newModelSession,
  processMutation,
} from './model-session.ts'

/**
 * A fault of one request. `cut-before`: the request never arrives. `cut-after`: it is processed, the response is lost. `cut-midway`: half
 * of its mutations are processed, then the connection breaks. `late`: the client gives up, and the request arrives behind the next one.
 * `twice`: the browser sends it a second time by itself. `hang-before`, `hang-after`: no response until the timeout, with nothing or
 * everything processed. `half-answer`: processed, half of the response arrives. `portal`: a captive portal responds instead of the server.
 * A number: that status, nothing processed. `session-lost`: sessions and carts are deleted. `people-lost`: the session's confirmed subjects
 * are. `carts-lost`: its carts are.
 */
export type ServerFault =
  | 'cut-before'
  | 'cut-after'
  | 'cut-midway'
  | 'late'
  | 'twice'
  | 'hang-before'
  | 'hang-after'
  | 'half-answer'
  | 'portal'
  | 'session-lost'
  | 'people-lost'
  | 'carts-lost'
  | 404
  | 409
  | 429
  | 500
  | 503

/** A browser with its own cookies, and the server's data of its session. */
export type ModelBrowser = {
  send: Transport
  cart: (jobId: number, orderMethod: OrderMethod) => Cart
  /** The subjects that this session confirmed or typed in. */
  confirmedSubjectIds: () => number[]
  /** Sets the cart of this job to being paid, ordered, or open. */
  setState: (jobId: number, orderMethod: OrderMethod, state: Cart['state']) => void
}

export type ModelServer = ModelBrowser & {
  newBrowser: () => ModelBrowser
  /** One fault for each request, taken from the front. Without faults requests succeed. */
  faults: ServerFault[]
  /** How often each mutation took effect in each session, for the carts that exist. A new session knows none of the old results. */
  effects: Map<string, number>
  /** Every request that arrived, as `METHOD path`. */
  receivedRequests: string[]
  /** The highest number of requests that were in flight at the same time. */
  maxConcurrentRequests: () => number
  /** Rejects the mutations for which this returns true, for a reason only the server knows. */
  rejects: (mutation: Mutation) => boolean
  /** Responds 422 to the whole request when this returns true for one of its mutations, as a server that cannot parse them. */
  rejectsBatch: (mutation: Mutation) => boolean
  /** Responds 500 at the first mutation for which this returns true. The mutations before it are processed. */
  failsAt: (mutation: Mutation) => boolean
  codes: Map<string, number>
  deleteSessions: () => void
  /** Simulates a restored backup that has this session, but not yet its confirmed subjects. */
  deleteConfirmedSubjects: () => void
  /** Simulates a restored backup that has this session, but not yet what its carts hold. */
  deleteCarts: () => void
  /** How often data were lost. The server was down meanwhile, so requests sent before never arrive. */
  dataLossCount: () => number
}

/** Lets the request for a new session through and cuts everything after it, as a phone with two seconds of signal. */
export const onlySessionGetsThrough =
  ({ send: carry }: ModelServer): Transport =>
  async (letter) => {
    if (!letter.url.endsWith('/session')) throw new Error('the line is cut')
    return await carry(letter)
  }

/** The search token that a search for this subject would return. */
export const searchProofOf = (subjectId: number): string => `found ${subjectId}`

type ModelResponse = HttpResponse & { cookie?: string }

const reply = (status: number, body: unknown, retryAfter: string | null = null): ModelResponse => ({
  status,
  text: JSON.stringify(body),
  retryAfter,
})
const problem = (name: ProblemName, sentence: string = problems[name].sentence, retryAfter?: string): ModelResponse =>
  reply(problems[name].status, { errors: [sentence], problem: name }, retryAfter)

const wrongCode = 'We do not know this code. Please look at it again'
const wrongStudio = 'There was an error loading the studio'

const byStatus = {
  404: 'not-found',
  409: 'in-flight',
  429: 'slow-down',
  500: 'unexpected',
  503: 'maintenance',
} as const

/**
 * An in-memory model of the server's sessions and carts: sessions, access codes, subjects, and `cart/sync` with one recorded result for
 * each mutation. Requests and responses are serialized, so that every test covers it. It passes the same contract test as the real server.
 */
export const createModelServer = (shop: ModelJob, ...more: ModelJob[]): ModelServer => {
  const visits = new Map<string, ModelSession>()
  let count = 0
  const newId = () => ++count
  let underWay = 0
  let crowd = 0
  let losses = 0
  let onTheWay: (() => void)[] = []

  const shared: Omit<ModelState, 'job'> = {
    typedSubjects: new Map(),
    newId,
    rejects: (mutation) => server.rejects(mutation),
    onApplied: ({ id }, { token }) => {
      const effect = `${id} in ${token}`
      server.effects.set(effect, (server.effects.get(effect) ?? 0) + 1)
    },
  }
  const worlds = new Map([shop, ...more].map((one): [number, ModelState] => [one.jobId, { ...shared, job: one }]))
  const worldOf = (jobId: number): ModelState => worlds.get(jobId) ?? { ...shared, job: shop }

  const ensureVisit = (token: string): { visit: ModelSession; created: boolean } => {
    const known = visits.get(token)
    if (known) return { visit: known, created: false }
    const visit = newModelSession(`visit-${newId()}`)
    visits.set(visit.token, visit)
    return { visit, created: true }
  }

  const redeem = (slug: string, typed: string, token: string): ModelResponse => {
    const ofStudio = [...worlds.values()].filter((one) => one.job.slug === slug.toLowerCase())
    if (ofStudio.length === 0) return problem('not-found', wrongStudio)
    const jobId = server.codes.get(normaliseAccessCode(typed))
    const opened = ofStudio.find((one) => one.job.jobId === jobId)
    if (jobId === undefined || !opened) return problem('not-found', wrongCode)
    const { visit } = ensureVisit(token)
    visit.jobs.add(jobId)
    const data = { jobId, studioId: opened.job.studioId, jobName: 'Spring Portraits', subject: null }
    return { ...reply(200, { data }), cookie: visit.token }
  }

  const confirm = ({ job: shop }: ModelState, visit: ModelSession, body: unknown): ModelResponse => {
    if (!is(body, confirmSubject.body)) return problem('bad-request')
    const { subjectId, proof } = body
    const person = shop.subjects.find((one) => one.subjectId === subjectId)
    const mayConfirm = proof === searchProofOf(subjectId) || visit.subjects.has(subjectId)
    if (!person || !mayConfirm) return problem('not-found')
    visit.subjects.add(subjectId)
    return reply(200, { data: granted(shop, person) })
  }

  const granted = ({ jobId }: ModelJob, { subjectId, firstName, lastName, imageIds }: ModelSubject) => ({
    ...{ id: subjectId, jobId, firstName, lastName, groupName: null, fields: [] },
    ...{ imageThumbnailUrl: null, imageCount: imageIds.length, grantId: `g${subjectId}` },
  })

  const sync = (
    world: ModelState,
    { visit, body, half }: { visit: ModelSession; body: unknown; half: boolean },
  ): ModelResponse => {
    if (!is(body, syncCart.body)) return problem('bad-request')
    const mutations = body.mutations as Mutation[] // sent by our own device; each is parsed against the contract below
    if (mutations.some((one) => server.rejectsBatch(one))) return problem('refused')
    const breaking = mutations.findIndex((one) => server.failsAt(one))
    const heard = half ? Math.floor(mutations.length / 2) : breaking
    const results = mutations
      .slice(0, heard === -1 ? undefined : heard)
      .map((one) => processMutation(world, visit, body, one))
    if (breaking !== -1) return problem('unexpected')
    return reply(200, { data: { results, cart: modelCartOf(world, visit, body.orderMethod) } })
  }

  const ofJob = (letter: HttpRequest, token: string, half: boolean): ModelResponse => {
    const [, job, rest = ''] = /\/jobs\/(\d+)(\/.*)$/.exec(letter.url) ?? []
    const visit = visits.get(token)
    if (!visit) return problem('session-unknown')
    const jobId = Number(job)
    const world = worlds.get(jobId)
    if (!world) return problem('not-found')
    if (!visit.jobs.has(jobId)) return problem('code-needed')
    if (letter.method === 'GET' && rest === '/carts') {
      const ofEvent = [...visit.carts.values()].filter((cart) => cart.jobId === jobId)
      const live = ofEvent.map(({ orderMethod, id, version }) => ({ orderMethod, id, version }))
      return reply(200, { data: live.sort((one, other) => (one.orderMethod < other.orderMethod ? -1 : 1)) })
    }
    if (rest.startsWith('/cart?')) {
      const query = Object.fromEntries(new URLSearchParams(rest.slice('/cart?'.length)))
      return is(query, getCart.query)
        ? reply(200, { data: modelCartOf(world, visit, query.orderMethod) })
        : problem('bad-request')
    }
    const body: unknown = JSON.parse(letter.body ?? '{}')
    return onceByKey(visit, { letter, body }, () =>
      rest === '/cart/sync' ? sync(world, { visit, body, half }) : confirm(world, visit, body),
    )
  }

  /**
   * Checks that an idempotency key is used for one content only. Both calls that take a key are idempotent by themselves, so a repetition
   * simply runs again.
   */
  const onceByKey = (
    visit: ModelSession,
    { letter, body }: { letter: HttpRequest; body: unknown },
    work: () => ModelResponse,
  ): ModelResponse => {
    const key = letter.headers['idempotency-key']
    if (key === undefined) return work()
    const content = canonicalJson([letter.method, letter.url, body])
    const known = visit.keys.get(key)
    if (known !== undefined && known !== content) return problem('key-reused')
    const answered = work()
    if (answered.status < 300 || answered.status === 422) visit.keys.set(key, content)
    return answered
  }

  const answer = (letter: HttpRequest, token: string, half: boolean): ModelResponse => {
    server.receivedRequests.push(`${letter.method} ${letter.url}`)
    if (letter.url === '/api/customer/session') {
      const { visit, created } = ensureVisit(token)
      return { ...reply(200, { data: { created } }), cookie: visit.token }
    }
    const [, slug, code] = /\/studios\/([^/]+)\/jobs\?code=(.+)$/.exec(letter.url) ?? []
    if (slug && code) return redeem(slug, decodeURIComponent(code), token)
    return ofJob(letter, token, half)
  }

  /** Delivers the requests that their client gave up, behind the next request that arrives. */
  const deliverLate = (): void => {
    const [...letters] = onTheWay
    onTheWay = []
    for (const deliver of letters) deliver()
  }

  const meet = async (letter: HttpRequest, token: string, fault: ServerFault | undefined): Promise<ModelResponse> => {
    // A response takes a few turns, so that two independent senders would overlap here.
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    if (fault === 'portal') return { status: 200, text: '<h1>Welcome to our network</h1>', retryAfter: null }
    if (fault === 'hang-before') return await neverRespond(letter)
    if (fault === 'late') {
      onTheWay.push(() => answer(letter, token, false))
      throw new Error('given up for lost')
    }
    if (fault === 'session-lost') server.deleteSessions()
    if (fault === 'people-lost') server.deleteConfirmedSubjects()
    if (fault === 'carts-lost') {
      server.deleteCarts()
      // Aborted by its client: no connection holds a request for as long as a restore takes.
      if (letter.signal.aborted) throw new Error('the server was down')
    }
    if (typeof fault === 'number') return problem(byStatus[fault], undefined, fault === 429 ? '2' : undefined)
    const answered = answer(letter, token, fault === 'cut-midway')
    if (fault === 'cut-after' || fault === 'cut-midway') throw new Error(fault)
    if (fault === 'hang-after') return await neverRespond(letter)
    deliverLate()
    if (fault === 'half-answer') return { ...answered, text: answered.text.slice(0, answered.text.length / 2) }
    return fault === 'twice' ? answer(letter, token, false) : answered
  }

  const browse = (): ModelBrowser => {
    let cookie = ''
    const visit = (): ModelSession => visits.get(cookie) ?? newModelSession('')
    return {
      send: async (letter) => {
        const fault = server.faults.shift()
        if (fault === 'cut-before') throw new Error('cut before')
        underWay += 1
        crowd = Math.max(crowd, underWay)
        try {
          const answered = await meet(letter, cookie, fault)
          cookie = answered.cookie ?? cookie
          return answered
        } finally {
          underWay -= 1
        }
      },
      cart: (jobId, orderMethod) => modelCartOf(worldOf(jobId), visit(), orderMethod),
      confirmedSubjectIds: () => [...visit().subjects],
      setState: (jobId, orderMethod, state) => {
        const { carts, ordered } = visit()
        const name = modelCartKey({ jobId }, orderMethod)
        const cart = carts.get(name)
        if (state === 'ordered' && cart?.id) {
          ordered.set(name, [cart.id, ...(ordered.get(name) ?? [])])
          carts.delete(name)
        } else if (cart) carts.set(name, { ...cart, state, version: cart.version + 1 })
      },
    }
  }

  const server: ModelServer = {
    ...browse(),
    newBrowser: browse,
    faults: [],
    effects: new Map(),
    receivedRequests: [],
    maxConcurrentRequests: () => crowd,
    rejects: () => false,
    rejectsBatch: () => false,
    failsAt: () => false,
    codes: new Map([['SPRING', shop.jobId]]),
    deleteConfirmedSubjects: () => {
      const typed = new Set([...shared.typedSubjects.values()].map(({ subjectId }) => subjectId))
      for (const { subjects } of visits.values())
        for (const subjectId of subjects) if (!typed.has(subjectId)) subjects.delete(subjectId)
    },
    dataLossCount: () => losses,
    deleteCarts: () => {
      losses += 1
      onTheWay = []
      server.effects.clear()
      for (const { carts, ordered, results } of visits.values()) {
        carts.clear()
        ordered.clear()
        results.clear()
      }
    },
    deleteSessions: () => {
      losses += 1
      onTheWay = []
      visits.clear()
      shared.typedSubjects.clear()
    },
  }
  return server
}

/** Responds only by rejecting once the client aborts. */
const neverRespond = ({ signal }: HttpRequest): Promise<never> =>
  new Promise((_, reject) => {
    const giveUp = () => reject(new Error('no answer came'))
    if (signal.aborted) giveUp()
    signal.addEventListener('abort', giveUp)
  })
