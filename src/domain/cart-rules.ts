import { addOnStands, dropFallenAddOns, isStandard } from './add-ons.ts'
import type { Cart, CartPackage, LineSnapshot } from './cart.ts'
import { acceptVersion, emptyItem, fill } from './line-content.ts'
import { withPicturesOf } from './line-pictures.ts'
import type { Mutation } from './mutation.ts'

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

/** One sentence for each refusal, for customer and server log alike. */
export const cartProblemSentences: Readonly<Record<CartProblem, string>> = {
  'cart-closed': 'This cart has been ordered. Start a new one to add more.',
  'cart-full': `A cart holds ${maximumLines} items at most. Order these first, then start another`,
  'line-unknown': 'That item is not in this cart',
  'package-missing': 'An error occurred',
  'subject-missing': 'An error occurred',
  'quantity-invalid': `Choose a whole number from 0 to ${maximumQuantity}`,
  'add-on-needs-standard': 'This add-on needs a package in the cart that allows it',
  'node-unknown': 'That choice does not belong to this package any more',
}

export type Applied = { ok: true; cart: Cart; dropped: CartPackage[] } | { ok: false; problem: CartProblem }

const refuse = (problem: CartProblem): Applied => ({ ok: false, problem })

/**
 * What a cart becomes by one mutation, or why it may not (section 4, cart rules). Run word for word alike by the device's fold
 * and by the server. `snapshot` is what a `line.add` or `line.accept` is made from; a `line.customise` may bring one for
 * pictures its line did not know; other mutations need none.
 */
export const applyMutation = (cart: Cart, mutation: Mutation, snapshot: LineSnapshot | null): Applied => {
  if (cart.state !== 'open') return refuse('cart-closed')
  if (mutation.do === 'cart.clear') return settled({ ...cart, cartPackages: [] })
  if (mutation.do === 'line.add') return addLine(cart, mutation, snapshot)
  const line = cart.cartPackages.find((one) => one.lineId === mutation.lineId)
  // What is gone already is gone: an answer that was lost must not turn into a refusal when the removal is told again.
  if (mutation.do === 'line.remove') return settled(without(cart, mutation.lineId))
  if (mutation.do === 'line.quantity' && mutation.quantity === 0) return settled(without(cart, mutation.lineId))
  if (!line) return refuse('line-unknown')
  if (mutation.do === 'line.quantity') return changeQuantity(cart, line, mutation.quantity)
  if (mutation.do === 'line.accept') {
    if (!snapshot) return refuse('package-missing')
    return settled(replace(cart, acceptVersion(line, snapshot)))
  }
  const filled = fill({ ...line, snapshot: withPicturesOf(line.snapshot, snapshot) }, mutation)
  return filled ? settled(replace(cart, filled)) : refuse('node-unknown')
}

const addLine = (cart: Cart, mutation: Mutation & { do: 'line.add' }, snapshot: LineSnapshot | null): Applied => {
  if (!snapshot) return refuse('package-missing')
  if (mutation.subjectId === null && mutation.personId === null) return refuse('subject-missing')
  if (!isQuantity(mutation.quantity) || mutation.quantity === 0) return refuse('quantity-invalid')
  const known = cart.cartPackages.find((one) => one.lineId === mutation.lineId)
  if (!known && cart.cartPackages.length >= maximumLines) return refuse('cart-full')
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
    mutation,
  )
  if (!line) return refuse('node-unknown')
  const grown = known ? replace(cart, line) : { ...cart, cartPackages: [...cart.cartPackages, line] }
  return addOnStands(grown, line) ? settled(withSubject(grown, line)) : refuse('add-on-needs-standard')
}

const isQuantity = (quantity: number): boolean =>
  Number.isInteger(quantity) && quantity >= 0 && quantity <= maximumQuantity

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

/** After any change: fallen add-ons go, no standard package means an empty cart, and people without a line leave it. */
const settled = (cart: Cart): Applied => {
  if (!cart.cartPackages.some(isStandard)) return { ok: true, cart: emptied(cart), dropped: cart.cartPackages }
  const { cart: standing, dropped } = dropFallenAddOns(cart)
  const subjects = standing.subjects.filter((one) => standing.cartPackages.some((line) => isFor(line, one)))
  return { ok: true, cart: { ...standing, subjects }, dropped }
}

const emptied = (cart: Cart): Cart => ({
  ...cart,
  cartPackages: [],
  subjects: [],
  cartOrderServicesDetails: {
    ...cart.cartOrderServicesDetails,
    cartOrderServices: [],
    retouches: [],
    personalizations: [],
  },
})

type Owner = { subjectId: number | null; personId: string | null }

const isFor = (line: Owner, subject: Owner): boolean =>
  subject.personId !== null ? line.personId === subject.personId : line.subjectId === subject.subjectId

const withSubject = (cart: Cart, line: CartPackage): Cart => {
  if (cart.subjects.some((one) => isFor(line, one))) return cart
  const { subjectId, personId } = line
  return { ...cart, subjects: [...cart.subjects, { subjectId, personId, ...line.snapshot.subject }] }
}
