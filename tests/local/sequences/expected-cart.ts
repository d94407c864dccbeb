import { type Cart, type CartPackage, emptyCart } from '#domain/cart/cart.ts'
import type { RecordedMutation, SubjectKey } from '#domain/cart/mutation.ts'
import { cartServicesOf } from '#domain/cart/order-services.ts'
import { replayMutations } from '#domain/cart/replay.ts'
import type { CartView } from '#local/store/cart-view.ts'
import type { CartKey } from '#local/store/database.ts'
import { isDoomed } from './sequence-shop.ts'

/** All that was said to the customer to be saved of one cart, in order. */
export type ExpectedChanges = { key: CartKey; changes: RecordedMutation[] }

const nameOf = ({ subjectId, personId }: SubjectKey): string => personId ?? `${subjectId}`

const lineAs = (line: CartPackage) => ({
  ...{ line: line.lineId, package: line.packageId, quantity: line.quantity, price: line.price, of: nameOf(line) },
  texts: line.cartPackageItems.flatMap((item) => item.textNodes.map(({ value }) => value)),
})

const choiceOf = (cart: Cart) => ({
  lines: cart.cartPackages.map(lineAs).sort((one, other) => (one.line < other.line ? -1 : 1)),
  people: cart.subjects.map((one) => `${nameOf(one)} ${one.firstName} ${one.lastName}`).sort(),
  services: cartServicesOf(cart)
    .map((one) => `${nameOf(one)} ${one.orderServiceId} ${one.price} ${one.nameToPrint ?? ''}`)
    .sort(),
})

/** A cart as far as the customer chose it: what ids and places the server gives is its own affair. */
export const comparableCart = (cart: Cart): string => JSON.stringify(choiceOf(cart))

const lineOf = ({ mutation }: RecordedMutation): string | null => ('lineId' in mutation ? mutation.lineId : null)

/** The cart that comes of all that was said, but for lines that the server would not take. */
export const expectedCart = ({ key, changes }: ExpectedChanges, refused: ReadonlySet<string | null>): Cart =>
  replayMutations(
    emptyCart(key.jobId, key.orderMethod),
    changes.filter((one) => lineOf(one) === null || !refused.has(lineOf(one))),
  ).cart

export const isDoomedAdd = ({ mutation }: RecordedMutation): boolean =>
  mutation.do === 'line.add' && isDoomed(mutation.packageId)

/** Lines that the server is never going to take. */
export const doomedLines = ({ changes }: ExpectedChanges): Set<string | null> =>
  new Set(changes.filter(isDoomedAdd).map(lineOf))

/**
 * Whether a cart is all that was said, but for refused lines. A service that stood beside nothing but lines which the server is never going
 * to take may have ended there, since it knows none of these; or it was heard of only when something else stood there, and goes on.
 */
export const matchesExpected = (cart: Cart, said: ExpectedChanges, refused: ReadonlySet<string | null>): boolean => {
  const doomed = doomedLines(said)
  const there = choiceOf(cart)
  const wanted = choiceOf(expectedCart(said, refused))
  const surely = choiceOf(expectedCart(said, refused.union(doomed))).services
  const perhaps = choiceOf(expectedCart(said, refused.difference(doomed))).services
  return (
    JSON.stringify({ ...there, services: [] }) === JSON.stringify({ ...wanted, services: [] }) &&
    new Set(there.services).size === there.services.length &&
    surely.every((one) => there.services.includes(one)) &&
    there.services.every((one) => perhaps.includes(one))
  )
}

/** Lines that the device says were refused. */
export const refusedLines = ({ refused }: CartView): Set<string | null> =>
  new Set(refused.flatMap(({ what, lineId }) => (what === 'line.add' ? lineId : [])))

/** Lines the customer would have in the cart, had the server taken them. */
export const unrejectedLines = (said: ExpectedChanges, letGo: ReadonlySet<string | null>): string[] => {
  const doomed = doomedLines(said)
  return expectedCart(said, letGo).cartPackages.flatMap(({ lineId }) => (doomed.has(lineId) ? lineId : []))
}
