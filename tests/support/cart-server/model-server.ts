import { is } from 'superstruct'
import { getCart, syncCart } from '#contract/customer/cart-calls.ts'
import { confirmSubject } from '#contract/customer/discovery-calls.ts'
import { type ProblemName, problems } from '#contract/shapes/problems.ts'
import type { Cart } from '#domain/cart/cart.ts'
import { cartChanges } from '#domain/cart/cart-changes.ts'
import type { Mutation } from '#domain/cart/mutation.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { normaliseAccessCode } from '#domain/subjects/subject-draft.ts'
import { type HttpRequest, type HttpResponse, notModified, type Transport } from '#local/transport/request.ts'
import { hashOf } from '#server/http/hash.ts'
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
 * A fault of one request. `cut-before`: the request never arrives. `cut-after`: it is processed, and the response is lost. `cut-midway`:
 * half of its mutations are processed, then the connection breaks. `late`: the client gives up, and the request arrives after the next one.
 * `twice`: the browser repeats it. `hang-before`, `hang-after`: no response until the timeout, with nothing or everything processed.
 * `half-answer`: it is processed, and half of the response arrives. `portal`: a captive portal responds instead of the server. A number: the
 * response has that status, and nothing is processed. `session-lost`: all sessions and carts are deleted before it. `people-lost`: the
 * confirmed subjects of all sessions are deleted before it. `carts-lost`: the carts of all sessions are deleted before it.
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
  /** Sets the state of this job's cart. */
  setState: (jobId: number, orderMethod: OrderMethod, state: Cart['state']) => void
}

export type ModelServer = ModelBrowser & {
  newBrowser: () => ModelBrowser
  /** One fault for each request, taken from the front. Without faults requests succeed. */
  faults: ServerFault[]
  /** How often each mutation took effect in each session, for the carts that exist. A new session has no results of an old one. */
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
  /** Simulates a restored backup that has the sessions, but not their confirmed subjects. */
  deleteConfirmedSubjects: () => void
  /** Simulates a restored backup that has the sessions, but not their carts. */
  deleteCarts: () => void
  /** How often data was lost. The server was down then, so requests sent before never arrive. */
  dataLossCount: () => number
}

/** Lets the request for a new session through and cuts everything after it, as a phone with two seconds of signal. */
export const onlySessionGetsThrough =
  ({ send }: ModelServer): Transport =>
  async (request) => {
    if (!request.url.endsWith('/session')) throw new Error('the connection is cut')
    return await send(request)
  }

/** The search token that a search for this subject would return. */
export const searchProofOf = (subjectId: number): string => `found ${subjectId}`

type ModelResponse = HttpResponse & { cookie?: string }

const reply = (status: number, body: unknown, retryAfter: string | null = null): ModelResponse => ({
  status,
  text: JSON.stringify(body),
  retryAfter,
})
const problem = (name: ProblemName, message: string = problems[name].message, retryAfter?: string): ModelResponse =>
  reply(problems[name].status, { errors: [message], problem: name }, retryAfter)

const unknownCodeMessage = 'We don’t know this code. Please check it'
const unknownStudioMessage = 'There was an error loading the studio'

const problemByStatus = {
  404: 'not-found',
  409: 'in-flight',
  429: 'slow-down',
  500: 'unexpected',
  503: 'maintenance',
} as const

const etagOf = (cart: Cart): string => hashOf(JSON.stringify(cart))

/**
 * An in-memory model of the server's sessions and carts: sessions, access codes, subjects, and `cart/sync` with one recorded result for
 * each mutation. Requests and responses are serialized, so that every test covers it. It passes the same contract test as the real server.
 */
export const createModelServer = (mainJob: ModelJob, ...otherJobs: ModelJob[]): ModelServer => {
  const sessions = new Map<string, ModelSession>()
  let count = 0
  const newId = () => ++count
  let inFlight = 0
  let maxInFlight = 0
  let lossCount = 0
  let lateDeliveries: (() => void)[] = []

  const sharedState: Omit<ModelState, 'job'> = {
    typedSubjects: new Map(),
    newId,
    rejects: (mutation) => server.rejects(mutation),
    onApplied: ({ id }, { token }) => {
      const effect = `${id} in ${token}`
      server.effects.set(effect, (server.effects.get(effect) ?? 0) + 1)
    },
  }
  const jobStates = new Map(
    [mainJob, ...otherJobs].map((job): [number, ModelState] => [job.jobId, { ...sharedState, job }]),
  )
  const jobStateOf = (jobId: number): ModelState => jobStates.get(jobId) ?? { ...sharedState, job: mainJob }

  const ensureSession = (token: string): { session: ModelSession; created: boolean } => {
    const existing = sessions.get(token)
    if (existing) return { session: existing, created: false }
    const session = newModelSession(`session-${newId()}`)
    sessions.set(session.token, session)
    return { session, created: true }
  }

  const redeem = (slug: string, typedCode: string, token: string): ModelResponse => {
    const studioJobs = [...jobStates.values()].filter(({ job }) => job.slug === slug.toLowerCase())
    if (studioJobs.length === 0) return problem('not-found', unknownStudioMessage)
    const jobId = server.codes.get(normaliseAccessCode(typedCode))
    const jobState = studioJobs.find(({ job }) => job.jobId === jobId)
    if (jobId === undefined || !jobState) return problem('not-found', unknownCodeMessage)
    const { session } = ensureSession(token)
    session.jobs.add(jobId)
    const data = { jobId, studioId: jobState.job.studioId, jobName: 'Spring Portraits', subject: null }
    return { ...reply(200, { data }), cookie: session.token }
  }

  const confirm = ({ job }: ModelState, session: ModelSession, body: unknown): ModelResponse => {
    if (!is(body, confirmSubject.body)) return problem('bad-request')
    const { subjectId, proof } = body
    const subject = job.subjects.find((candidate) => candidate.subjectId === subjectId)
    const mayConfirm = proof === searchProofOf(subjectId) || session.subjects.has(subjectId)
    if (!subject || !mayConfirm) return problem('not-found')
    session.subjects.add(subjectId)
    return reply(200, { data: toGrantedSubject(job, subject) })
  }

  const toGrantedSubject = ({ jobId }: ModelJob, { subjectId, firstName, lastName, imageIds }: ModelSubject) => ({
    ...{ id: subjectId, jobId, firstName, lastName, groupName: null, fields: [] },
    ...{ imageThumbnailUrl: null, imageCount: imageIds.length, grantId: `g${subjectId}`, yearBookImageId: null },
  })

  const sync = (
    jobState: ModelState,
    { session, body, half }: { session: ModelSession; body: unknown; half: boolean },
  ): ModelResponse => {
    if (!is(body, syncCart.body)) return problem('bad-request')
    const mutations = body.mutations as Mutation[] // sent by the client under test; each is checked by `processMutation`
    if (mutations.some((mutation) => server.rejectsBatch(mutation))) return problem('refused')
    const before = modelCartOf(jobState, session, body.orderMethod)
    const failingIndex = mutations.findIndex((mutation) => server.failsAt(mutation))
    const processedCount = half ? Math.floor(mutations.length / 2) : failingIndex
    const results = mutations
      .slice(0, processedCount === -1 ? undefined : processedCount)
      .map((mutation) => processMutation(jobState, session, body, mutation))
    if (failingIndex !== -1) return problem('unexpected')
    const recorded = body.sentBefore?.flatMap((id) => session.results.get(id)?.result ?? []) ?? []
    const cart = modelCartOf(jobState, session, body.orderMethod)
    const changes = body.base === etagOf(before) ? cartChanges(before, cart) : null
    const data = { results: [...results, ...recorded], etag: etagOf(cart), ...(changes ? { changes } : { cart }) }
    return reply(200, { data })
  }

  const respondForJob = (request: HttpRequest, token: string, half: boolean): ModelResponse => {
    const [, jobIdText, rest = ''] = /\/jobs\/(\d+)(\/.*)$/.exec(request.url) ?? []
    const session = sessions.get(token)
    if (!session) return problem('session-unknown')
    const jobId = Number(jobIdText)
    const jobState = jobStates.get(jobId)
    if (!jobState) return problem('not-found')
    if (!session.jobs.has(jobId)) return problem('code-needed')
    if (request.method === 'GET' && rest === '/carts') {
      const jobCarts = [...session.carts.values()].filter((cart) => cart.jobId === jobId)
      const summaries = jobCarts.map(({ orderMethod, id, version }) => ({ orderMethod, id, version }))
      return reply(200, { data: summaries.sort((a, b) => (a.orderMethod < b.orderMethod ? -1 : 1)) })
    }
    if (rest.startsWith('/cart?')) {
      const query = Object.fromEntries(new URLSearchParams(rest.slice('/cart?'.length)))
      if (!is(query, getCart.query)) return problem('bad-request')
      const cart = modelCartOf(jobState, session, query.orderMethod)
      const response = reply(200, { data: cart })
      const etag = etagOf(cart)
      if (request.headers['if-none-match'] === etag) return { status: notModified, text: '', retryAfter: null, etag }
      return { ...response, etag }
    }
    const body: unknown = JSON.parse(request.body ?? '{}')
    return onceByKey(session, { request, body }, () =>
      rest === '/cart/sync' ? sync(jobState, { session, body, half }) : confirm(jobState, session, body),
    )
  }

  /**
   * Checks that an idempotency key is used for one content only. Both calls that take a key are idempotent, so a repeated request simply
   * runs again.
   */
  const onceByKey = (
    session: ModelSession,
    { request, body }: { request: HttpRequest; body: unknown },
    work: () => ModelResponse,
  ): ModelResponse => {
    const key = request.headers['idempotency-key']
    if (key === undefined) return work()
    const content = canonicalJson([request.method, request.url, body])
    const earlierContent = session.keys.get(key)
    if (earlierContent !== undefined && earlierContent !== content) return problem('key-reused')
    const response = work()
    if (response.status < 300 || response.status === 422) session.keys.set(key, content)
    return response
  }

  const respond = (request: HttpRequest, token: string, half: boolean): ModelResponse => {
    server.receivedRequests.push(`${request.method} ${request.url}`)
    if (request.url === '/api/customer/session') {
      const { session, created } = ensureSession(token)
      return { ...reply(200, { data: { created } }), cookie: session.token }
    }
    const [, slug, code] = /\/studios\/([^/]+)\/jobs\?code=(.+)$/.exec(request.url) ?? []
    if (slug && code) return redeem(slug, decodeURIComponent(code), token)
    return respondForJob(request, token, half)
  }

  /** Delivers the requests that their client gave up. Runs after the next request that arrives. */
  const deliverLate = (): void => {
    const deliveries = lateDeliveries
    lateDeliveries = []
    for (const deliver of deliveries) deliver()
  }

  const handle = async (
    request: HttpRequest,
    token: string,
    fault: ServerFault | undefined,
  ): Promise<ModelResponse> => {
    // Takes a few turns of the event loop, so that requests of two independent senders overlap.
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    if (fault === 'portal') return { status: 200, text: '<h1>Welcome to our network</h1>', retryAfter: null }
    if (fault === 'hang-before') return await neverRespond(request)
    if (fault === 'late') {
      lateDeliveries.push(() => respond(request, token, false))
      throw new Error('the client gave up')
    }
    if (fault === 'session-lost') server.deleteSessions()
    if (fault === 'people-lost') server.deleteConfirmedSubjects()
    if (fault === 'carts-lost') {
      server.deleteCarts()
      // A request does not wait for as long as a restore takes, so an aborted one never arrives.
      if (request.signal.aborted) throw new Error('the server was down')
    }
    if (typeof fault === 'number') return problem(problemByStatus[fault], undefined, fault === 429 ? '2' : undefined)
    const response = respond(request, token, fault === 'cut-midway')
    if (fault === 'cut-after' || fault === 'cut-midway') throw new Error(fault)
    if (fault === 'hang-after') return await neverRespond(request)
    deliverLate()
    if (fault === 'half-answer') return { ...response, text: response.text.slice(0, response.text.length / 2) }
    return fault === 'twice' ? respond(request, token, false) : response
  }

  const createBrowser = (): ModelBrowser => {
    let cookie = ''
    const session = (): ModelSession => sessions.get(cookie) ?? newModelSession('')
    return {
      send: async (request) => {
        const fault = server.faults.shift()
        if (fault === 'cut-before') throw new Error('cut before')
        inFlight += 1
        maxInFlight = Math.max(maxInFlight, inFlight)
        try {
          const response = await handle(request, cookie, fault)
          cookie = response.cookie ?? cookie
          return response
        } finally {
          inFlight -= 1
        }
      },
      cart: (jobId, orderMethod) => modelCartOf(jobStateOf(jobId), session(), orderMethod),
      confirmedSubjectIds: () => [...session().subjects],
      setState: (jobId, orderMethod, state) => {
        const { carts, ordered } = session()
        const key = modelCartKey({ jobId }, orderMethod)
        const cart = carts.get(key)
        if (state === 'ordered' && cart?.id) {
          ordered.set(key, [cart.id, ...(ordered.get(key) ?? [])])
          carts.delete(key)
        } else if (cart) carts.set(key, { ...cart, state, version: cart.version + 1 })
      },
    }
  }

  const server: ModelServer = {
    ...createBrowser(),
    newBrowser: createBrowser,
    faults: [],
    effects: new Map(),
    receivedRequests: [],
    maxConcurrentRequests: () => maxInFlight,
    rejects: () => false,
    rejectsBatch: () => false,
    failsAt: () => false,
    codes: new Map([['SPRING', mainJob.jobId]]),
    deleteConfirmedSubjects: () => {
      const typedSubjectIds = new Set([...sharedState.typedSubjects.values()].map(({ subjectId }) => subjectId))
      for (const { subjects } of sessions.values())
        for (const subjectId of subjects) if (!typedSubjectIds.has(subjectId)) subjects.delete(subjectId)
    },
    dataLossCount: () => lossCount,
    deleteCarts: () => {
      lossCount += 1
      lateDeliveries = []
      server.effects.clear()
      for (const { carts, ordered, results } of sessions.values()) {
        carts.clear()
        ordered.clear()
        results.clear()
      }
    },
    deleteSessions: () => {
      lossCount += 1
      lateDeliveries = []
      sessions.clear()
      sharedState.typedSubjects.clear()
    },
  }
  return server
}

/** Responds only by rejecting once the client aborts. */
const neverRespond = ({ signal }: HttpRequest): Promise<never> =>
  new Promise((_, reject) => {
    const giveUp = () => reject(new Error('the client gave up'))
    if (signal.aborted) giveUp()
    signal.addEventListener('abort', giveUp)
  })
