import { dropFallenAddOns } from './add-ons.ts'
import type { Cart, CartPackage, DataField, LineSnapshot, YearBookPose } from './cart.ts'
import { acceptVersion, emptyItem, fill } from './line-content.ts'
import { withPicturesOf } from './line-images.ts'
import {
  lineSnapshot,
  type MadeFrom,
  type Mutation,
  type Owner,
  serviceSnapshot,
  type TypedPerson,
} from './mutation.ts'
import { forKind, type PerKind } from './mutation-kinds.ts'
import { isSamePerson, removeService, type ServiceProblem, servicesOfBuyers, setService } from './order-services.ts'

/** Most of one package a line can hold; a typing slip should not become a bill. */
export const maximumQuantity = 99

/** Most lines of a cart: several packages each for a class of brothers and sisters, and no cart too large to be read at once. */
export const maximumLines = 200

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

/** What is posted without a package or a person (section 8). */
const incomplete = 'An error occurred'

/** One sentence for each refusal, for customer and server log alike. */
export const cartProblemSentences: Readonly<Record<CartProblem, string>> = {
  'cart-closed': 'This cart has been ordered. Start a new one to add more.',
  'cart-full': `A cart holds ${maximumLines} items at most. Order these first, then start another`,
  'line-unknown': 'That item is not in this cart',
  'package-missing': incomplete,
  'subject-missing': incomplete,
  'quantity-invalid': `Choose a whole number from 0 to ${maximumQuantity}`,
  'add-on-needs-standard': 'This add-on needs a package in the cart that allows it',
  'node-unknown': 'That choice does not belong to this package any more',
  'service-gone': 'This service is not on offer any more',
  'service-needs-package': 'Choose a package for this person first',
  'retouch-picture': 'Choose the picture to retouch',
  'personalization-empty': 'Type what to print, and choose what to print it on',
  'personalization-refused': 'Name and year are not printed there at this event',
}

/** The same in a cart that stands as `state`: one that is being paid may open again. */
export const cartProblemSentence = (problem: CartProblem, state: Cart['state']): string =>
  problem === 'cart-closed' && state === 'frozen' ? beingPaid : cartProblemSentences[problem]

export type Applied = { ok: true; cart: Cart; dropped: CartPackage[] } | { ok: false; problem: CartProblem }

const refuse = (problem: CartProblem): Applied => ({ ok: false, problem })

/**
 * What a cart becomes by one mutation, or why it may not (section 4, cart rules). Run word for word alike by the device's fold
 * and by the server. `made` is what a `line.add`, `line.accept` or `service.set` is made from; a `line.customise` may bring one
 * for pictures its line did not know; other mutations need none.
 */
export const applyMutation = (cart: Cart, mutation: Mutation, made: MadeFrom | null): Applied => {
  // Poses are not bought: a cart that is being paid does not hold them up.
  if (mutation.do !== 'pose.set' && cart.state !== 'open') return refuse('cart-closed')
  return forKind(rules, mutation, cart, made)
}

const accept = (cart: Cart): Applied => ({ ok: true, cart, dropped: [] })

const rules: PerKind<Mutation, [cart: Cart, made: MadeFrom | null], Applied> = {
  'line.add': (mutation, cart, made) => addLine(cart, mutation, lineSnapshot(made)),
  'line.customise': (mutation, cart, made) => {
    const line = lineIn(cart, mutation.lineId)
    if (!line) return refuse('line-unknown')
    const filled = fill({ ...line, snapshot: withPicturesOf(line.snapshot, lineSnapshot(made)) }, mutation)
    return filled ? settled(fieldsForAll(replace(cart, filled), filled)) : refuse('node-unknown')
  },
  'line.quantity': ({ lineId, quantity }, cart) => {
    if (quantity === 0) return settled(without(cart, lineId))
    const line = lineIn(cart, lineId)
    return line ? changeQuantity(cart, line, quantity) : refuse('line-unknown')
  },
  // What is gone already is gone: an answer that was lost must not turn into a refusal when the removal is told again.
  'line.remove': ({ lineId }, cart) => settled(without(cart, lineId)),
  'line.accept': ({ lineId }, cart, made) => {
    const line = lineIn(cart, lineId)
    if (!line) return refuse('line-unknown')
    const snapshot = lineSnapshot(made)
    return snapshot ? settled(replace(cart, acceptVersion(line, snapshot))) : refuse('package-missing')
  },
  'cart.clear': (_, cart) => settled({ ...cart, cartPackages: [] }),
  'service.set': (mutation, cart, made) => {
    const served = setService(cart, mutation, serviceSnapshot(made))
    return typeof served === 'string' ? refuse(served) : settled(served)
  },
  'service.remove': (mutation, cart) => settled(removeService(cart, mutation)),
  'person.set': (mutation, cart) => accept(withTypedPerson(cart, mutation)),
  'pose.set': (mutation, cart) => accept(withPose(cart, mutation)),
}

const lineIn = (cart: Cart, lineId: string): CartPackage | undefined =>
  cart.cartPackages.find((one) => one.lineId === lineId)

const addLine = (cart: Cart, mutation: Mutation & { do: 'line.add' }, snapshot: LineSnapshot | null): Applied => {
  if (!snapshot) return refuse('package-missing')
  if (mutation.subjectId === null && mutation.personId === null) return refuse('subject-missing')
  if (!isQuantity(mutation.quantity)) return refuse('quantity-invalid')
  const known = cart.cartPackages.find((one) => one.lineId === mutation.lineId)
  if (!known && cart.cartPackages.length >= maximumLines) return refuse('cart-full')
  const sibling = cart.cartPackages.find((one) => one !== known && isSamePerson(one, mutation))
  const line = fill(
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
    // Who says nothing of the person means what was said before.
    mutation.dataFields.length === 0 && sibling ? { ...mutation, dataFields: sibling.dataFields } : mutation,
  )
  if (!line) return refuse('node-unknown')
  const grown = known ? replace(cart, line) : { ...cart, cartPackages: [...cart.cartPackages, line] }
  const added = settled(fieldsForAll(withSubject(grown, line), line))
  return hasLine(added.cart, line.lineId) ? added : refuse('add-on-needs-standard')
}

/** A cart with other numbers of its packages, by their lines (0: none of it); what may not stand any more falls, as after any change. */
export const withQuantities = (
  cart: Cart,
  quantities: ReadonlyMap<string, number>,
): { cart: Cart; dropped: CartPackage[] } =>
  settled({
    ...cart,
    cartPackages: cart.cartPackages
      .map((line) => ({ ...line, quantity: quantities.get(line.lineId) ?? line.quantity }))
      .filter((line) => line.quantity > 0),
  })

export const hasLine = (cart: Cart, lineId: string): boolean => cart.cartPackages.some((one) => one.lineId === lineId)

/** Custom fields are a person's, not a line's: what one line says holds for all of theirs (section 7, dataFields). */
const fieldsForAll = (cart: Cart, { dataFields, ...owner }: CartPackage): Cart => ({
  ...cart,
  cartPackages: cart.cartPackages.map((line) =>
    isSamePerson(line, owner) && !sameFields(line.dataFields, dataFields) ? { ...line, dataFields } : line,
  ),
})

const sameFields = (some: readonly DataField[], others: readonly DataField[]): boolean =>
  JSON.stringify(some) === JSON.stringify(others)

/** A typed-in person's name and fields, on every line of theirs. */
const withTypedPerson = (cart: Cart, { personId, firstName, lastName, dataFields }: TypedPerson): Cart => {
  const isTheirs = (one: Owner): boolean => one.personId === personId
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
  Number.isInteger(quantity) && quantity > 0 && quantity <= maximumQuantity

const changeQuantity = (cart: Cart, line: CartPackage, quantity: number): Applied => {
  if (!isQuantity(quantity)) return refuse('quantity-invalid')
  return settled(replace(cart, { ...line, quantity }))
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
 * After any change: services of people without a package go, then add-ons that may not stand, until nothing more falls; and
 * people without a line leave. No add-on stands without a standard package: the last of these takes the whole cart with it.
 */
const settled = (cart: Cart): Applied & { ok: true } => {
  const { cart: standing, dropped } = fallen(cart)
  const subjects = standing.subjects.filter((one) => standing.cartPackages.some((line) => isSamePerson(line, one)))
  return { ok: true, cart: { ...standing, subjects }, dropped }
}

const fallen = (cart: Cart): { cart: Cart; dropped: CartPackage[] } => {
  const { cart: standing, dropped } = dropFallenAddOns(servicesOfBuyers(cart))
  if (dropped.length === 0) return { cart: standing, dropped }
  // The last line of somebody may have gone, with it their services, and with those another add-on's minimum.
  const rest = fallen(standing)
  return { cart: rest.cart, dropped: [...dropped, ...rest.dropped] }
}

const withSubject = (cart: Cart, line: CartPackage): Cart => {
  if (cart.subjects.some((one) => isSamePerson(one, line))) return cart
  const { subjectId, personId } = line
  return { ...cart, subjects: [...cart.subjects, { subjectId, personId, ...line.snapshot.subject }] }
}
