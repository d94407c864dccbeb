import { is } from 'superstruct'
import { type MutationResult, Mutation as MutationStruct } from '#contract/shapes/cart-structs.ts'
import { Uuid } from '#contract/shapes/primitives.ts'
import { problems } from '#contract/shapes/problems.ts'
import { type Cart, emptyCart } from '#domain/cart/cart.ts'
import type { Mutation } from '#domain/cart/mutation.ts'
import { upcastMutation } from '#domain/cart/upcast.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { applyAsServer } from './model-cart.ts'
import type { ModelJob, ModelSubject } from './model-job.ts'

/** What the model stores for one session: its cookie, its grants, its carts, and every recorded result. */
export type ModelSession = {
  readonly token: string
  readonly jobs: Set<number>
  readonly subjects: Set<number>
  /** By job and order method. */
  readonly carts: Map<string, Cart>
  /** The ids of carts that became orders, by job and order method. */
  readonly ordered: Map<string, number[]>
  readonly results: Map<string, { content: string; result: MutationResult }>
  /** The content that each `Idempotency-Key` was used for. */
  readonly keys: Map<string, string>
}

/** The state that all sessions of a job share. */
export type ModelState = {
  readonly job: ModelJob
  /** Typed subjects by the device's id, with the session that typed each. */
  readonly typedSubjects: Map<string, ModelSubject & { token: string }>
  readonly newId: () => number
  /** Rejects the mutation for a reason only the server knows. */
  readonly rejects: (mutation: Mutation) => boolean
  /** Called with each mutation that took effect. */
  readonly onApplied: (mutation: Mutation, session: ModelSession) => void
}

export const newModelSession = (token: string): ModelSession => ({
  token,
  jobs: new Set(),
  subjects: new Set(),
  carts: new Map(),
  ordered: new Map(),
  results: new Map(),
  keys: new Map(),
})

/** JSON with sorted keys: equal contents give equal strings. */
export const canonicalJson = (content: unknown): string =>
  JSON.stringify(content, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )

const nilUuid = '00000000-0000-0000-0000-000000000000'
const otherVersionMessage = 'This change was made by another version of this app. Reload the page and try again'

const rejectedResult = (id: string, problem: string, message: string): MutationResult => ({
  id,
  status: 'refused',
  problem,
  errors: [message],
})

/** The result of a mutation that cannot be parsed. It is rejected alone and not recorded. */
const rejectUnreadable = (input: unknown, message: string): MutationResult => {
  const id = typeof input === 'object' && input !== null && 'id' in input ? input.id : undefined
  return rejectedResult(is(id, Uuid) ? id : nilUuid, 'bad-request', message)
}

const orderedMessage = 'This cart has been ordered. Start a new one to add more.'

/** Key of a cart within a session. */
export const modelCartKey = ({ jobId }: { jobId: number }, orderMethod: OrderMethod): string =>
  `${jobId} ${orderMethod}`

export const modelCartOf = ({ job }: ModelState, session: ModelSession, orderMethod: OrderMethod): Cart => {
  const key = modelCartKey(job, orderMethod)
  const ordered = session.ordered.get(key)?.map((cartId) => ({ cartId, orderNumber: null }))
  return {
    ...(session.carts.get(key) ?? emptyCart(job.jobId, orderMethod)),
    ...(ordered && { orderedCarts: ordered }),
  }
}

/** The cart that a device addresses, by order method; `cartId` where the device knows it. */
export type CartTarget = { orderMethod: OrderMethod; cartId?: number | undefined }

/** Applies one mutation once. A mutation processed before gets its recorded result. */
export const processMutation = (
  jobState: ModelState,
  session: ModelSession,
  { orderMethod, cartId }: CartTarget,
  input: unknown,
): MutationResult => {
  const mutation = upcastMutation(input)
  if (mutation === 'unknown-version') return rejectUnreadable(input, otherVersionMessage)
  if (!is(mutation, MutationStruct)) return rejectUnreadable(input, problems['bad-request'].message)
  const content = canonicalJson(input)
  const { id } = mutation
  const recorded = session.results.get(id)
  if (recorded?.content === content) return recorded.result
  if (recorded) return rejectedResult(id, 'key-reused', problems['key-reused'].message)
  const isOrdered =
    cartId !== undefined && session.ordered.get(modelCartKey(jobState.job, orderMethod))?.includes(cartId)
  const isAllowedAfterOrder = mutation.do === 'person.set' || mutation.do === 'pose.set'
  if (isOrdered && !isAllowedAfterOrder) return rejectedResult(id, 'cart-closed', orderedMessage)
  const result = runMutation(jobState, session, { orderMethod, mutation })
  session.results.set(id, { content, result })
  return result
}

type CartMutation = { orderMethod: OrderMethod; mutation: Mutation }

const runMutation = (
  jobState: ModelState,
  session: ModelSession,
  { orderMethod, mutation }: CartMutation,
): MutationResult => {
  const { job } = jobState
  const { id } = mutation
  const key = modelCartKey(job, orderMethod)
  if (!session.carts.has(key))
    session.carts.set(key, { ...emptyCart(job.jobId, orderMethod), id: jobState.newId(), version: 1 })
  if (jobState.rejects(mutation)) return rejectedResult(id, 'refused', 'Not on offer any more')
  const cart = modelCartOf(jobState, session, orderMethod)
  const typedSubjects = [...jobState.typedSubjects.values()].filter((subject) => subject.token === session.token)
  const mayOrderFor = ({ subjectId }: ModelSubject) => session.subjects.has(subjectId)
  const decision = applyAsServer(mutation, { job, cart, subjects: [...job.subjects, ...typedSubjects], mayOrderFor })
  if ('problem' in decision) return rejectedResult(id, decision.problem, decision.message)
  session.carts.set(key, withNextVersion(jobState, decision.cart))
  if (mutation.do === 'person.set') saveTypedSubject(jobState, session, mutation)
  jobState.onApplied(mutation, session)
  return { id, status: 'done' }
}

const withNextVersion = (jobState: ModelState, cart: Cart): Cart => ({
  ...cart,
  version: cart.version + 1,
  cartPackages: cart.cartPackages.map((line) => (line.id === null ? { ...line, id: jobState.newId() } : line)),
})

/** Stores a typed subject. A session that knows the device's id of a subject belongs to that device, so it takes the subject over. */
const saveTypedSubject = (
  jobState: ModelState,
  session: ModelSession,
  { personId, ...name }: Mutation & { do: 'person.set' },
): void => {
  const subjectId = jobState.typedSubjects.get(personId)?.subjectId ?? jobState.newId()
  const [firstName, lastName] = [name.firstName.trim(), name.lastName.trim()]
  jobState.typedSubjects.set(personId, { subjectId, personId, firstName, lastName, imageIds: [], token: session.token })
  session.subjects.add(subjectId)
}
