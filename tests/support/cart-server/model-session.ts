import { is } from 'superstruct'
import { type MutationResult, Mutation as MutationStruct } from '#contract/shapes/cart-structs.ts'
import { Uuid } from '#contract/shapes/primitives.ts'
import { problems } from '#contract/shapes/problems.ts'
import { type Cart, emptyCart } from '#domain/cart/cart.ts'
import type { Mutation } from '#domain/cart/mutation.ts'
import { upcastMutation } from '#domain/cart/upcast.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { decide } from './model-cart.ts'
import type { ModelPerson, ModelShop } from './model-job.ts'

/** What the model keeps of one session: its own cookie, what it opened, its carts, and every answer it was given. */
export type Visit = {
  readonly token: string
  readonly jobs: Set<number>
  readonly subjects: Set<number>
  /** By event and order method. */
  readonly carts: Map<string, Cart>
  /** The ids of carts that became orders, by the same. */
  readonly ordered: Map<string, number[]>
  readonly results: Map<string, { content: string; result: MutationResult }>
  /** What each `Idempotency-Key` was given for. */
  readonly keys: Map<string, string>
}

/** What all visits of an event share. */
export type World = {
  readonly shop: ModelShop
  /** People typed in, by the device's id, with the visit that did. */
  readonly typed: Map<string, ModelPerson & { token: string }>
  readonly newId: () => number
  /** A reason of the server's own to refuse it. */
  readonly refuses: (mutation: Mutation) => boolean
  /** Told of each mutation that took effect. */
  readonly done: (mutation: Mutation, visit: Visit) => void
}

export const newVisit = (token: string): Visit => ({
  token,
  jobs: new Set(),
  subjects: new Set(),
  carts: new Map(),
  ordered: new Map(),
  results: new Map(),
  keys: new Map(),
})

/** The same for the same content, however its keys were ordered. */
export const canonical = (content: unknown): string =>
  JSON.stringify(content, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  )

const nobody = '00000000-0000-0000-0000-000000000000'
const otherVersion = 'This change was made by another version of this app. Reload the page and try again'

const refusedAs = (id: string, problem: string, sentence: string): MutationResult => ({
  id,
  status: 'refused',
  problem,
  errors: [sentence],
})

/** What cannot be read is refused alone, and nothing is kept of it. */
const unread = (found: unknown, sentence: string): MutationResult => {
  const id = typeof found === 'object' && found !== null && 'id' in found ? found.id : undefined
  return refusedAs(is(id, Uuid) ? id : nobody, 'bad-request', sentence)
}

const orderedSentence = 'This cart has been ordered. Start a new one to add more.'

/** Under what a visit keeps a cart. */
export const cartName = ({ jobId }: { jobId: number }, orderMethod: OrderMethod): string => `${jobId} ${orderMethod}`

export const cartOf = ({ shop }: World, visit: Visit, orderMethod: OrderMethod): Cart => {
  const name = cartName(shop, orderMethod)
  const ordered = visit.ordered.get(name)?.map((cartId) => ({ cartId, orderNumber: null }))
  return {
    ...(visit.carts.get(name) ?? emptyCart(shop.jobId, orderMethod)),
    ...(ordered && { orderedCarts: ordered }),
  }
}

/** Which cart a device tells, by the way of ordering; `cartId`: the very one, where it knows it. */
export type ToldCart = { orderMethod: OrderMethod; cartId?: number | undefined }

/** Does one mutation as told, once: what was told before has its recorded result again. */
export const tellOne = (
  world: World,
  visit: Visit,
  { orderMethod, cartId }: ToldCart,
  found: unknown,
): MutationResult => {
  const mutation = upcastMutation(found)
  if (mutation === 'unknown-version') return unread(found, otherVersion)
  if (!is(mutation, MutationStruct)) return unread(found, problems['bad-request'].sentence)
  const content = canonical(found)
  const { id } = mutation
  const recorded = visit.results.get(id)
  if (recorded?.content === content) return recorded.result
  if (recorded) return refusedAs(id, 'key-reused', problems['key-reused'].sentence)
  const isOver = cartId !== undefined && visit.ordered.get(cartName(world.shop, orderMethod))?.includes(cartId)
  const staysKnown = mutation.do === 'person.set' || mutation.do === 'pose.set'
  if (isOver && !staysKnown) return refusedAs(id, 'cart-closed', orderedSentence)
  const result = settle(world, visit, { orderMethod, mutation })
  visit.results.set(id, { content, result })
  return result
}

type Told = { orderMethod: OrderMethod; mutation: Mutation }

const settle = (world: World, visit: Visit, { orderMethod, mutation }: Told): MutationResult => {
  const { shop } = world
  const { id } = mutation
  const name = cartName(shop, orderMethod)
  if (!visit.carts.has(name))
    visit.carts.set(name, { ...emptyCart(shop.jobId, orderMethod), id: world.newId(), version: 1 })
  if (world.refuses(mutation)) return refusedAs(id, 'refused', 'Not on offer any more')
  const cart = cartOf(world, visit, orderMethod)
  const typed = [...world.typed.values()].filter((one) => one.token === visit.token)
  const mayOrderFor = ({ subjectId }: ModelPerson) => visit.subjects.has(subjectId)
  const decided = decide(mutation, { shop, cart, people: [...shop.people, ...typed], mayOrderFor })
  if ('problem' in decided) return refusedAs(id, decided.problem, decided.sentence)
  visit.carts.set(name, grown(world, decided.cart))
  if (mutation.do === 'person.set') typeIn(world, visit, mutation)
  world.done(mutation, visit)
  return { id, status: 'done' }
}

const grown = (world: World, cart: Cart): Cart => ({
  ...cart,
  version: cart.version + 1,
  cartPackages: cart.cartPackages.map((line) => (line.id === null ? { ...line, id: world.newId() } : line)),
})

/** Whoever knows the device's id of a person is that device: a new session of it takes the person along. */
const typeIn = (world: World, visit: Visit, { personId, ...name }: Mutation & { do: 'person.set' }): void => {
  const subjectId = world.typed.get(personId)?.subjectId ?? world.newId()
  const [firstName, lastName] = [name.firstName.trim(), name.lastName.trim()]
  world.typed.set(personId, { subjectId, personId, firstName, lastName, imageIds: [], token: visit.token })
  visit.subjects.add(subjectId)
}
