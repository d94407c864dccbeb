import { is } from 'superstruct'
import { type MutationResult, Mutation as MutationStruct } from '#contract/shapes/cart-structs.ts'
import { Uuid } from '#contract/shapes/primitives.ts'
import { problems } from '#contract/shapes/problems.ts'
import { type Cart, emptyCart } from '#domain/cart/cart.ts'
import type { Mutation } from '#domain/cart/mutation.ts'
import { upcastMutation } from '#domain/cart/upcast.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { decideMutation } from './model-cart.ts'
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

/** What all sessions of a job share. */
export type ModelState = {
  readonly job: ModelJob
  /** Typed-in subjects by the device's id, with the session that typed each. */
  readonly typedSubjects: Map<string, ModelSubject & { token: string }>
  readonly newId: () => number
  /** Rejects the mutation for a reason only the server knows. */
  readonly rejects: (mutation: Mutation) => boolean
  /** Called with each mutation that took effect. */
  readonly onApplied: (mutation: Mutation, visit: ModelSession) => void
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
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  )

const nilUuid = '00000000-0000-0000-0000-000000000000'
const otherVersionMessage = 'This change was made by another version of this app. Reload the page and try again'

const rejectedResult = (id: string, problem: string, sentence: string): MutationResult => ({
  id,
  status: 'refused',
  problem,
  errors: [sentence],
})

/** The result of a mutation that cannot be parsed. It is rejected alone and not recorded. */
const rejectUnreadable = (found: unknown, sentence: string): MutationResult => {
  const id = typeof found === 'object' && found !== null && 'id' in found ? found.id : undefined
  return rejectedResult(is(id, Uuid) ? id : nilUuid, 'bad-request', sentence)
}

const orderedMessage = 'This cart has been ordered. Start a new one to add more.'

/** Key of a cart within a session. */
export const modelCartKey = ({ jobId }: { jobId: number }, orderMethod: OrderMethod): string =>
  `${jobId} ${orderMethod}`

export const modelCartOf = ({ job: shop }: ModelState, visit: ModelSession, orderMethod: OrderMethod): Cart => {
  const name = modelCartKey(shop, orderMethod)
  const ordered = visit.ordered.get(name)?.map((cartId) => ({ cartId, orderNumber: null }))
  return {
    ...(visit.carts.get(name) ?? emptyCart(shop.jobId, orderMethod)),
    ...(ordered && { orderedCarts: ordered }),
  }
}

/** The cart that a device addresses, by order method; `cartId` where the device knows it. */
export type CartTarget = { orderMethod: OrderMethod; cartId?: number | undefined }

/** Applies one mutation once. A mutation processed before gets its recorded result. */
export const processMutation = (
  world: ModelState,
  visit: ModelSession,
  { orderMethod, cartId }: CartTarget,
  found: unknown,
): MutationResult => {
  const mutation = upcastMutation(found)
  if (mutation === 'unknown-version') return rejectUnreadable(found, otherVersionMessage)
  if (!is(mutation, MutationStruct)) return rejectUnreadable(found, problems['bad-request'].sentence)
  const content = canonicalJson(found)
  const { id } = mutation
  const recorded = visit.results.get(id)
  if (recorded?.content === content) return recorded.result
  if (recorded) return rejectedResult(id, 'key-reused', problems['key-reused'].sentence)
  const isOver = cartId !== undefined && visit.ordered.get(modelCartKey(world.job, orderMethod))?.includes(cartId)
  const staysKnown = mutation.do === 'person.set' || mutation.do === 'pose.set'
  if (isOver && !staysKnown) return rejectedResult(id, 'cart-closed', orderedMessage)
  const result = runMutation(world, visit, { orderMethod, mutation })
  visit.results.set(id, { content, result })
  return result
}

type CartMutation = { orderMethod: OrderMethod; mutation: Mutation }

const runMutation = (
  world: ModelState,
  visit: ModelSession,
  { orderMethod, mutation }: CartMutation,
): MutationResult => {
  const { job: shop } = world
  const { id } = mutation
  const name = modelCartKey(shop, orderMethod)
  if (!visit.carts.has(name))
    visit.carts.set(name, { ...emptyCart(shop.jobId, orderMethod), id: world.newId(), version: 1 })
  if (world.rejects(mutation)) return rejectedResult(id, 'refused', 'Not on offer any more')
  const cart = modelCartOf(world, visit, orderMethod)
  const typed = [...world.typedSubjects.values()].filter((one) => one.token === visit.token)
  const mayOrderFor = ({ subjectId }: ModelSubject) => visit.subjects.has(subjectId)
  const decided = decideMutation(mutation, { job: shop, cart, subjects: [...shop.subjects, ...typed], mayOrderFor })
  if ('problem' in decided) return rejectedResult(id, decided.problem, decided.message)
  visit.carts.set(name, withNextVersion(world, decided.cart))
  if (mutation.do === 'person.set') saveTypedSubject(world, visit, mutation)
  world.onApplied(mutation, visit)
  return { id, status: 'done' }
}

const withNextVersion = (world: ModelState, cart: Cart): Cart => ({
  ...cart,
  version: cart.version + 1,
  cartPackages: cart.cartPackages.map((line) => (line.id === null ? { ...line, id: world.newId() } : line)),
})

/** Stores a typed-in subject. A new session that knows the device's id of a subject is that device, so it takes the subject over. */
const saveTypedSubject = (
  world: ModelState,
  visit: ModelSession,
  { personId, ...name }: Mutation & { do: 'person.set' },
): void => {
  const subjectId = world.typedSubjects.get(personId)?.subjectId ?? world.newId()
  const [firstName, lastName] = [name.firstName.trim(), name.lastName.trim()]
  world.typedSubjects.set(personId, { subjectId, personId, firstName, lastName, imageIds: [], token: visit.token })
  visit.subjects.add(subjectId)
}
