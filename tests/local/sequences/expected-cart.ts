import { type Cart, type CartPackage, emptyCart } from '#domain/cart/cart.ts'
import type { RecordedMutation, SubjectKey } from '#domain/cart/mutation.ts'
import { cartServicesOf } from '#domain/cart/order-services.ts'
import { replayMutations } from '#domain/cart/replay.ts'
import type { CartView } from '#local/store/cart-view.ts'
import type { CartKey } from '#local/store/rows.ts'
import { isDoomed } from './sequence-shop.ts'

/** All changes of one cart that the screen confirmed as saved, in order. */
export type ExpectedChanges = { key: CartKey; changes: RecordedMutation[] }

const nameOf = ({ subjectId, personId }: SubjectKey): string => personId ?? `${subjectId}`

const comparableLine = (line: CartPackage) => ({
  ...{ line: line.lineId, package: line.packageId, quantity: line.quantity, price: line.price, of: nameOf(line) },
  texts: line.cartPackageItems.flatMap((item) => item.textNodes.map(({ value }) => value)),
})

const choicesIn = (cart: Cart) => ({
  lines: cart.cartPackages.map(comparableLine).sort((a, b) => (a.line < b.line ? -1 : 1)),
  people: cart.subjects.map((subject) => `${nameOf(subject)} ${subject.firstName} ${subject.lastName}`).sort(),
  services: cartServicesOf(cart)
    .map((service) => `${nameOf(service)} ${service.orderServiceId} ${service.price} ${service.nameToPrint ?? ''}`)
    .sort(),
})

/** The customer's choices in a cart, without ids and positions that the server assigns. */
export const comparableCart = (cart: Cart): string => JSON.stringify(choicesIn(cart))

const lineOf = ({ mutation }: RecordedMutation): string | null => ('lineId' in mutation ? mutation.lineId : null)

/** The cart that results from all confirmed changes, without rejected lines. */
export const expectedCart = ({ key, changes }: ExpectedChanges, rejected: ReadonlySet<string | null>): Cart =>
  replayMutations(
    emptyCart(key.jobId, key.orderMethod),
    changes.filter((change) => lineOf(change) === null || !rejected.has(lineOf(change))),
  ).cart

export const isDoomedAdd = ({ mutation }: RecordedMutation): boolean =>
  mutation.do === 'line.add' && isDoomed(mutation.packageId)

/** Lines that the server always rejects. */
export const doomedLines = ({ changes }: ExpectedChanges): Set<string | null> =>
  new Set(changes.filter(isDoomedAdd).map(lineOf))

/**
 * Whether a cart contains all confirmed changes, except for rejected lines. A service of a subject whose only lines
 * are always rejected is optional: it is missing if the server never had a line of the subject, and present if another
 * line existed when the service arrived.
 */
export const matchesExpected = (
  cart: Cart,
  expected: ExpectedChanges,
  rejected: ReadonlySet<string | null>,
): boolean => {
  const doomed = doomedLines(expected)
  const actual = choicesIn(cart)
  const expectedChoices = choicesIn(expectedCart(expected, rejected))
  const requiredServices = choicesIn(expectedCart(expected, rejected.union(doomed))).services
  const allowedServices = choicesIn(expectedCart(expected, rejected.difference(doomed))).services
  return (
    JSON.stringify({ ...actual, services: [] }) === JSON.stringify({ ...expectedChoices, services: [] }) &&
    new Set(actual.services).size === actual.services.length &&
    requiredServices.every((service) => actual.services.includes(service)) &&
    actual.services.every((service) => allowedServices.includes(service))
  )
}

/** Lines that the device reports as rejected. */
export const rejectedLinesOf = ({ rejected }: CartView): Set<string | null> =>
  new Set(rejected.flatMap(({ kind, lineId }) => (kind === 'line.add' ? lineId : [])))

/**
 * Lines that the device must report as rejected: they would be in the cart if the server did not always reject them.
 */
export const expectedRejectedLines = (expected: ExpectedChanges, discarded: ReadonlySet<string | null>): string[] => {
  const doomed = doomedLines(expected)
  return expectedCart(expected, discarded).cartPackages.flatMap(({ lineId }) => (doomed.has(lineId) ? lineId : []))
}
