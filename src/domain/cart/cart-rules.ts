import { dropDisallowedAddOns } from './add-ons.ts'
import type { Cart, CartPackage, DataField, YearBookPose } from './cart.ts'
import { emptyItem, fillLine, withPackageVersion, withSnapshotImages } from './line-content.ts'
import {
  lineSnapshot,
  type MutationOf,
  type MutationSnapshot,
  type SubjectKey,
  serviceSnapshot,
  type TypedSubject,
} from './mutation.ts'
import {
  dropOrphanedServices,
  isSameSubject,
  type ServiceProblem,
  withOrderService,
  withoutOrderService,
} from './order-services.ts'

/** Maximum quantity of a line, so that a typing error does not lead to a huge price. */
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

const beingPaidMessage = 'This cart is being paid for. You can’t change it until the payment is finished'

/** Shown when a package or subject is missing from the request (section 8). */
const incompleteMessage = 'An error occurred'

/** One message for each problem, used by the screens and in the server's responses. */
export const cartProblemMessages: Readonly<Record<CartProblem, string>> = {
  'cart-closed': 'This cart has been ordered. Start a new one to add more.',
  'cart-full': `A cart holds ${maxCartLines} items at most. Order these first, then start another`,
  'line-unknown': 'That item is not in this cart',
  'package-missing': incompleteMessage,
  'subject-missing': incompleteMessage,
  'quantity-invalid': `Choose a whole number from 0 to ${maxLineQuantity}`,
  'add-on-needs-standard': 'This add-on needs a package in the cart that allows it',
  'node-unknown': 'That choice is no longer part of this package',
  'service-gone': 'This service is no longer offered',
  'service-needs-package': 'Choose a package for this child first',
  'retouch-picture': 'Choose the photo to retouch',
  'personalization-empty': 'Type what to print, and choose what to print it on',
  'personalization-refused': 'Name and year can’t be printed there at this event',
}

/** The message for a cart in `state`: a cart that is being paid for may reopen. */
export const cartProblemMessage = (problem: CartProblem, state: Cart['state']): string =>
  problem === 'cart-closed' && state === 'frozen' ? beingPaidMessage : cartProblemMessages[problem]

export type ApplyResult = { ok: true; cart: Cart; dropped: CartPackage[] } | { ok: false; problem: CartProblem }

export const refuse = (problem: CartProblem): ApplyResult => ({ ok: false, problem })

const accept = (cart: Cart): ApplyResult => ({ ok: true, cart, dropped: [] })

const lineIn = (cart: Cart, lineId: string): CartPackage | undefined =>
  cart.cartPackages.find((line) => line.lineId === lineId)

export const addLine = (cart: Cart, mutation: MutationOf<'line.add'>, source: MutationSnapshot | null): ApplyResult => {
  const snapshot = lineSnapshot(source)
  if (!snapshot) return refuse('package-missing')
  if (mutation.subjectId === null && mutation.personId === null) return refuse('subject-missing')
  if (!isQuantity(mutation.quantity)) return refuse('quantity-invalid')
  const existingLine = lineIn(cart, mutation.lineId)
  if (!existingLine && cart.cartPackages.length >= maxCartLines) return refuse('cart-full')
  const sibling = cart.cartPackages.find(
    (candidate) => candidate !== existingLine && isSameSubject(candidate, mutation),
  )
  const line = fillLine(
    {
      id: existingLine?.id ?? null,
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
  const withLine = existingLine ? replaceLine(cart, line) : { ...cart, cartPackages: [...cart.cartPackages, line] }
  const result = withoutDisallowed(shareDataFields(withSubject(withLine, line), line))
  return hasLine(result.cart, line.lineId) ? result : refuse('add-on-needs-standard')
}

export const customiseLine = (
  cart: Cart,
  mutation: MutationOf<'line.customise'>,
  source: MutationSnapshot | null,
): ApplyResult => {
  const line = lineIn(cart, mutation.lineId)
  if (!line) return refuse('line-unknown')
  const filledLine = fillLine({ ...line, snapshot: withSnapshotImages(line.snapshot, lineSnapshot(source)) }, mutation)
  return filledLine
    ? withoutDisallowed(shareDataFields(replaceLine(cart, filledLine), filledLine))
    : refuse('node-unknown')
}

export const setLineQuantity = (cart: Cart, { lineId, quantity }: MutationOf<'line.quantity'>): ApplyResult => {
  if (quantity === 0) return withoutDisallowed(withoutLine(cart, lineId))
  const line = lineIn(cart, lineId)
  return line ? changeQuantity(cart, line, quantity) : refuse('line-unknown')
}

/** Removing a missing line succeeds: after a lost response the removal is retried and must not be rejected. */
export const removeLine = (cart: Cart, { lineId }: MutationOf<'line.remove'>): ApplyResult =>
  withoutDisallowed(withoutLine(cart, lineId))

export const acceptPackageVersion = (
  cart: Cart,
  { lineId }: MutationOf<'line.accept'>,
  source: MutationSnapshot | null,
): ApplyResult => {
  const line = lineIn(cart, lineId)
  if (!line) return refuse('line-unknown')
  const snapshot = lineSnapshot(source)
  return snapshot ? withoutDisallowed(replaceLine(cart, withPackageVersion(line, snapshot))) : refuse('package-missing')
}

export const clearCart = (cart: Cart): ApplyResult => withoutDisallowed({ ...cart, cartPackages: [] })

export const setOrderService = (
  cart: Cart,
  mutation: MutationOf<'service.set'>,
  source: MutationSnapshot | null,
): ApplyResult => {
  const result = withOrderService(cart, mutation, serviceSnapshot(source))
  return typeof result === 'string' ? refuse(result) : withoutDisallowed(result)
}

export const removeOrderService = (cart: Cart, mutation: MutationOf<'service.remove'>): ApplyResult =>
  withoutDisallowed(withoutOrderService(cart, mutation))

/** Sets name and fields of a typed-in subject on all of the subject's lines. */
export const setTypedSubject = (cart: Cart, subject: MutationOf<'person.set'>): ApplyResult =>
  accept(withTypedSubject(cart, subject))

export const setYearBookPose = (cart: Cart, pose: MutationOf<'pose.set'>): ApplyResult => accept(withPose(cart, pose))

/**
 * Changes the quantities of lines, given by line id; 0 removes the line. Lines that are then no longer allowed are
 * dropped.
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

export const hasLine = (cart: Cart, lineId: string): boolean => cart.cartPackages.some((line) => line.lineId === lineId)

/**
 * Custom fields belong to the subject, not to the line: values of one line apply to all lines of the subject (section
 * 7, dataFields).
 */
const shareDataFields = (cart: Cart, { dataFields, ...owner }: CartPackage): Cart => ({
  ...cart,
  cartPackages: cart.cartPackages.map((line) =>
    isSameSubject(line, owner) && !areFieldsEqual(line.dataFields, dataFields) ? { ...line, dataFields } : line,
  ),
})

const areFieldsEqual = (a: readonly DataField[], b: readonly DataField[]): boolean =>
  JSON.stringify(a) === JSON.stringify(b)

const withTypedSubject = (cart: Cart, { personId, firstName, lastName, dataFields }: TypedSubject): Cart => {
  const isOfSubject = (key: SubjectKey): boolean => key.personId === personId
  const withNames = <Named extends { firstName: string; lastName: string }>(subject: Named): Named => ({
    ...subject,
    firstName,
    lastName,
  })
  const cartPackages = cart.cartPackages.map((line) =>
    isOfSubject(line)
      ? { ...line, dataFields, snapshot: { ...line.snapshot, subject: withNames(line.snapshot.subject) } }
      : line,
  )
  return {
    ...cart,
    cartPackages,
    subjects: cart.subjects.map((subject) => (isOfSubject(subject) ? withNames(subject) : subject)),
  }
}

const withPose = (cart: Cart, { subjectId, imageId }: YearBookPose): Cart => ({
  ...cart,
  yearBookPoses: [...cart.yearBookPoses.filter((pose) => pose.subjectId !== subjectId), { subjectId, imageId }],
})

const isQuantity = (quantity: number): boolean =>
  Number.isInteger(quantity) && quantity > 0 && quantity <= maxLineQuantity

const changeQuantity = (cart: Cart, line: CartPackage, quantity: number): ApplyResult => {
  if (!isQuantity(quantity)) return refuse('quantity-invalid')
  return withoutDisallowed(replaceLine(cart, { ...line, quantity }))
}

const withoutLine = (cart: Cart, lineId: string): Cart => ({
  ...cart,
  cartPackages: cart.cartPackages.filter((line) => line.lineId !== lineId),
})

const replaceLine = (cart: Cart, line: CartPackage): Cart => ({
  ...cart,
  cartPackages: cart.cartPackages.map((existing) => (existing.lineId === line.lineId ? line : existing)),
})

/**
 * Runs after every change of lines or services: drops services of subjects without a package, then add-ons that are not
 * allowed, until nothing changes; last, drops subjects without a line. No add-on is allowed without a standard package,
 * so removing the last standard package empties the cart.
 */
const withoutDisallowed = (cart: Cart): ApplyResult & { ok: true } => {
  const { cart: allowed, dropped } = dropDisallowed(cart)
  const subjects = allowed.subjects.filter((subject) =>
    allowed.cartPackages.some((line) => isSameSubject(line, subject)),
  )
  return { ok: true, cart: { ...allowed, subjects }, dropped }
}

const dropDisallowed = (cart: Cart): { cart: Cart; dropped: CartPackage[] } => {
  const { cart: allowed, dropped } = dropDisallowedAddOns(dropOrphanedServices(cart))
  if (dropped.length === 0) return { cart: allowed, dropped }
  // A dropped line may have been the last of its subject. Then the subject's services are dropped too, and the cart may
  // fall below the minimum of another add-on.
  const rest = dropDisallowed(allowed)
  return { cart: rest.cart, dropped: [...dropped, ...rest.dropped] }
}

const withSubject = (cart: Cart, line: CartPackage): Cart => {
  if (cart.subjects.some((subject) => isSameSubject(subject, line))) return cart
  const { subjectId, personId } = line
  return { ...cart, subjects: [...cart.subjects, { subjectId, personId, ...line.snapshot.subject }] }
}
