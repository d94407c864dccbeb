import { dropDisallowedAddOns } from './add-ons.ts'
import type { Cart, CartPackage, DataField, LineSnapshot, YearBookPose } from './cart.ts'
import { emptyItem, fillLine, withPackageVersion } from './line-content.ts'
import { withSnapshotImages } from './line-images.ts'
import {
  lineSnapshot,
  type Mutation,
  type MutationSnapshot,
  type SubjectKey,
  serviceSnapshot,
  type TypedSubject,
} from './mutation.ts'
import { dispatchByKind, type MutationTable } from './mutation-kinds.ts'
import {
  dropOrphanedServices,
  isSameSubject,
  type ServiceProblem,
  withOrderService,
  withoutOrderService,
} from './order-services.ts'

/** Maximum quantity of a line, so that a typing error does not become a bill. */
export const maxLineQuantity = 99

/** Maximum number of lines of a cart. Leaves room for a large family, and keeps a cart small enough to load at once. */
export const maxCartLines = 200

export type CartProblem =
  | 'cart-closed'
  | 'cart-full'
  | 'line-unknown'
  | 'package-missing'
  | 'subject-missing'
  | 'quantity-invalid'
  | 'add-on-needs-standard'
  | 'node-unknown'
  | ServiceProblem

const beingPaid = 'This cart is being paid for. Wait for that to end before you change it'

/** Shown when a package or subject is missing from the request (section 8). */
const incomplete = 'An error occurred'

/** One message for each problem, used by customer screens and the server log. */
export const cartProblemMessages: Readonly<Record<CartProblem, string>> = {
  'cart-closed': 'This cart has been ordered. Start a new one to add more.',
  'cart-full': `A cart holds ${maxCartLines} items at most. Order these first, then start another`,
  'line-unknown': 'That item is not in this cart',
  'package-missing': incomplete,
  'subject-missing': incomplete,
  'quantity-invalid': `Choose a whole number from 0 to ${maxLineQuantity}`,
  'add-on-needs-standard': 'This add-on needs a package in the cart that allows it',
  'node-unknown': 'That choice does not belong to this package any more',
  'service-gone': 'This service is not on offer any more',
  'service-needs-package': 'Choose a package for this person first',
  'retouch-picture': 'Choose the picture to retouch',
  'personalization-empty': 'Type what to print, and choose what to print it on',
  'personalization-refused': 'Name and year are not printed there at this event',
}

/** The message for a cart in `state`: a cart that is being paid for may reopen. */
export const cartProblemMessage = (problem: CartProblem, state: Cart['state']): string =>
  problem === 'cart-closed' && state === 'frozen' ? beingPaid : cartProblemMessages[problem]

export type ApplyResult = { ok: true; cart: Cart; dropped: CartPackage[] } | { ok: false; problem: CartProblem }

const refuse = (problem: CartProblem): ApplyResult => ({ ok: false, problem })

/**
 * Applies one mutation to a cart, or returns the problem (section 4, cart rules). The device's replay and the server
 * run the same code. `source` is what a `line.add`, `line.accept` or `service.set` is built from; a `line.customise`
 * may bring one for images its line does not know; other mutations need none.
 */
export const applyMutation = (cart: Cart, mutation: Mutation, source: MutationSnapshot | null): ApplyResult => {
  // Choosing a year-book pose costs nothing, so a frozen cart does not block it.
  if (mutation.do !== 'pose.set' && cart.state !== 'open') return refuse('cart-closed')
  return dispatchByKind(rules, mutation, cart, source)
}

const accept = (cart: Cart): ApplyResult => ({ ok: true, cart, dropped: [] })

const rules: MutationTable<Mutation, [cart: Cart, source: MutationSnapshot | null], ApplyResult> = {
  'line.add': (mutation, cart, source) => addLine(cart, mutation, lineSnapshot(source)),
  'line.customise': (mutation, cart, source) => {
    const line = lineIn(cart, mutation.lineId)
    if (!line) return refuse('line-unknown')
    const filled = fillLine({ ...line, snapshot: withSnapshotImages(line.snapshot, lineSnapshot(source)) }, mutation)
    return filled ? withoutDisallowed(fieldsForAll(replace(cart, filled), filled)) : refuse('node-unknown')
  },
  'line.quantity': ({ lineId, quantity }, cart) => {
    if (quantity === 0) return withoutDisallowed(without(cart, lineId))
    const line = lineIn(cart, lineId)
    return line ? changeQuantity(cart, line, quantity) : refuse('line-unknown')
  },
  // Removing a missing line succeeds: after a lost response the removal is retried and must not be rejected.
  'line.remove': ({ lineId }, cart) => withoutDisallowed(without(cart, lineId)),
  'line.accept': ({ lineId }, cart, source) => {
    const line = lineIn(cart, lineId)
    if (!line) return refuse('line-unknown')
    const snapshot = lineSnapshot(source)
    return snapshot ? withoutDisallowed(replace(cart, withPackageVersion(line, snapshot))) : refuse('package-missing')
  },
  'cart.clear': (_, cart) => withoutDisallowed({ ...cart, cartPackages: [] }),
  'service.set': (mutation, cart, source) => {
    const served = withOrderService(cart, mutation, serviceSnapshot(source))
    return typeof served === 'string' ? refuse(served) : withoutDisallowed(served)
  },
  'service.remove': (mutation, cart) => withoutDisallowed(withoutOrderService(cart, mutation)),
  'person.set': (mutation, cart) => accept(withTypedSubject(cart, mutation)),
  'pose.set': (mutation, cart) => accept(withPose(cart, mutation)),
}

const lineIn = (cart: Cart, lineId: string): CartPackage | undefined =>
  cart.cartPackages.find((one) => one.lineId === lineId)

const addLine = (cart: Cart, mutation: Mutation & { do: 'line.add' }, snapshot: LineSnapshot | null): ApplyResult => {
  if (!snapshot) return refuse('package-missing')
  if (mutation.subjectId === null && mutation.personId === null) return refuse('subject-missing')
  if (!isQuantity(mutation.quantity)) return refuse('quantity-invalid')
  const known = cart.cartPackages.find((one) => one.lineId === mutation.lineId)
  if (!known && cart.cartPackages.length >= maxCartLines) return refuse('cart-full')
  const sibling = cart.cartPackages.find((one) => one !== known && isSameSubject(one, mutation))
  const line = fillLine(
    {
      id: known?.id ?? null,
      lineId: mutation.lineId,
      packageId: mutation.packageId,
      subjectId: mutation.subjectId,
      personId: mutation.personId,
      quantity: mutation.quantity,
      price: snapshot.package.retailCost,
      greenScreen: null,
      cartPackageItems: snapshot.package.items.map((item) => emptyItem(item)),
      dataFields: [],
      snapshot,
    },
    // No data fields means that those of the subject's other lines apply.
    mutation.dataFields.length === 0 && sibling ? { ...mutation, dataFields: sibling.dataFields } : mutation,
  )
  if (!line) return refuse('node-unknown')
  const grown = known ? replace(cart, line) : { ...cart, cartPackages: [...cart.cartPackages, line] }
  const added = withoutDisallowed(fieldsForAll(withSubject(grown, line), line))
  return hasLine(added.cart, line.lineId) ? added : refuse('add-on-needs-standard')
}

/**
 * A cart with other quantities by line id; 0 removes the line. Lines that are no longer allowed are dropped, as after
 * any change.
 */
export const withLineQuantities = (
  cart: Cart,
  quantities: ReadonlyMap<string, number>,
): { cart: Cart; dropped: CartPackage[] } =>
  withoutDisallowed({
    ...cart,
    cartPackages: cart.cartPackages
      .map((line) => ({ ...line, quantity: quantities.get(line.lineId) ?? line.quantity }))
      .filter((line) => line.quantity > 0),
  })

export const hasLine = (cart: Cart, lineId: string): boolean => cart.cartPackages.some((one) => one.lineId === lineId)

/**
 * Custom fields belong to the subject, not to the line: values of one line apply to all lines of the subject (section
 * 7, dataFields).
 */
const fieldsForAll = (cart: Cart, { dataFields, ...owner }: CartPackage): Cart => ({
  ...cart,
  cartPackages: cart.cartPackages.map((line) =>
    isSameSubject(line, owner) && !sameFields(line.dataFields, dataFields) ? { ...line, dataFields } : line,
  ),
})

const sameFields = (some: readonly DataField[], others: readonly DataField[]): boolean =>
  JSON.stringify(some) === JSON.stringify(others)

/** Sets name and fields of a typed-in subject on all of the subject's lines. */
const withTypedSubject = (cart: Cart, { personId, firstName, lastName, dataFields }: TypedSubject): Cart => {
  const isTheirs = (one: SubjectKey): boolean => one.personId === personId
  const named = <Person extends { firstName: string; lastName: string }>(one: Person): Person => ({
    ...one,
    firstName,
    lastName,
  })
  const cartPackages = cart.cartPackages.map((line) =>
    isTheirs(line)
      ? { ...line, dataFields, snapshot: { ...line.snapshot, subject: named(line.snapshot.subject) } }
      : line,
  )
  return { ...cart, cartPackages, subjects: cart.subjects.map((one) => (isTheirs(one) ? named(one) : one)) }
}

const withPose = (cart: Cart, { subjectId, imageId }: YearBookPose): Cart => ({
  ...cart,
  yearBookPoses: [...cart.yearBookPoses.filter((one) => one.subjectId !== subjectId), { subjectId, imageId }],
})

const isQuantity = (quantity: number): boolean =>
  Number.isInteger(quantity) && quantity > 0 && quantity <= maxLineQuantity

const changeQuantity = (cart: Cart, line: CartPackage, quantity: number): ApplyResult => {
  if (!isQuantity(quantity)) return refuse('quantity-invalid')
  return withoutDisallowed(replace(cart, { ...line, quantity }))
}

const without = (cart: Cart, lineId: string): Cart => ({
  ...cart,
  cartPackages: cart.cartPackages.filter((line) => line.lineId !== lineId),
})

const replace = (cart: Cart, line: CartPackage): Cart => ({
  ...cart,
  cartPackages: cart.cartPackages.map((one) => (one.lineId === line.lineId ? line : one)),
})

/**
 * Runs after every change: drops services of subjects without a package, then add-ons that are not allowed, until
 * nothing changes; then subjects without a line. No add-on is allowed without a standard package, so removing the last
 * one empties the cart.
 */
const withoutDisallowed = (cart: Cart): ApplyResult & { ok: true } => {
  const { cart: allowed, dropped } = dropDisallowed(cart)
  const subjects = allowed.subjects.filter((one) => allowed.cartPackages.some((line) => isSameSubject(line, one)))
  return { ok: true, cart: { ...allowed, subjects }, dropped }
}

const dropDisallowed = (cart: Cart): { cart: Cart; dropped: CartPackage[] } => {
  const { cart: allowed, dropped } = dropDisallowedAddOns(dropOrphanedServices(cart))
  if (dropped.length === 0) return { cart: allowed, dropped }
  // A dropped line may have been its subject's last; that drops services, and with them another add-on's minimum.
  const rest = dropDisallowed(allowed)
  return { cart: rest.cart, dropped: [...dropped, ...rest.dropped] }
}

const withSubject = (cart: Cart, line: CartPackage): Cart => {
  if (cart.subjects.some((one) => isSameSubject(one, line))) return cart
  const { subjectId, personId } = line
  return { ...cart, subjects: [...cart.subjects, { subjectId, personId, ...line.snapshot.subject }] }
}
