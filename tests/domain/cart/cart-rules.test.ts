import { describe, expect, test } from 'vitest'
import { cartCents, isAddOnAllowed, lineCents } from '#domain/cart/add-ons.ts'
import { type Cart, emptyCart } from '#domain/cart/cart.ts'
import { type CartProblem, cartProblemMessages, maxCartLines, maxLineQuantity } from '#domain/cart/cart-rules.ts'
import type { Change, RecordedMutation } from '#domain/cart/mutation.ts'
import { applyMutation } from '#domain/cart/mutations.ts'
import {
  added,
  addOn,
  cartAfter,
  imageChoice,
  noContent,
  packageItem,
  packageOf,
  recorded,
  snapshotOf,
  textChoice,
  textNode,
} from './cart-fixtures.ts'
import { keyOf, premiumRetouch, serviceSnapshotOf } from './order-service-fixtures.ts'

const standard = packageOf({ id: 100, retailCost: 25 })
const otherStandard = packageOf({ id: 101, retailCost: 10 })
const needsStandard = addOn(200, {})
const needsStandard100 = addOn(201, { packageId: 100 })
const namesStandardWithoutNeed = addOn(205, { requiresStandard: false, packageId: 100 })
const addOnWithIgnoredMinimum = addOn(207, { requiredMinPrice: 999 })
const needsPriceAndStandard100 = addOn(206, { type: 'addon_price', requiredMinPrice: 20, packageId: 100 })
const needsTwenty = addOn(202, { type: 'addon_price', requiredMinPrice: 20 }, 30)
const needsThirty = addOn(203, { type: 'addon_price', requiredMinPrice: 30 })
const needsNoPrice = addOn(204, { type: 'addon_price', requiredMinPrice: null })

const lineIds = (cart: Cart): string[] => cart.cartPackages.map((line) => line.lineId)
const apply = (cart: Cart, recordedMutation: RecordedMutation) =>
  applyMutation(cart, recordedMutation.mutation, recordedMutation.snapshot)
const applyChange = (cart: Cart, change: Change): Cart => {
  const applied = apply(cart, recorded(change))
  if (!applied.ok) throw new Error(applied.problem)
  return applied.cart
}
const problemOf = (cart: Cart, recordedMutation: RecordedMutation): CartProblem | null => {
  const applied = apply(cart, recordedMutation)
  return applied.ok ? null : applied.problem
}

describe('adding a line', () => {
  test('a line takes price, items and nodes from the package version it was added with', () => {
    const cart = cartAfter(
      added(standard, 'a', 2, { imageNodes: [imageChoice(11)], textNodes: [textChoice(21, 'Ada')] }),
    )
    const [line] = cart.cartPackages
    expect(line).toMatchObject({ id: null, lineId: 'a', packageId: 100, subjectId: 7, quantity: 2, price: 25 })
    expect(line?.cartPackageItems[0]).toMatchObject({
      packageItemId: 1,
      textNodes: [{ packageItemTextNodeId: 21, value: 'Ada' }],
      imageNodes: [{ packageItemImageNodeId: 11, subjectImageId: 501, imageThumbnailUrl: '/photos/1/501/thumb-a' }],
    })
    expect(cart.subjects).toEqual([
      { subjectId: 7, personId: null, firstName: 'Ada', lastName: 'Lovelace', imageThumbnailUrl: null },
    ])
    expect(cartCents(cart)).toBe(5000)
  })

  test('adding the same package twice makes two lines, even with the same text', () => {
    expect(lineIds(cartAfter(added(standard, 'a'), added(standard, 'b')))).toEqual(['a', 'b'])
  })

  test.each<[string, Partial<Change & { do: 'line.add' }>, CartProblem]>([
    ['no subject (section 8)', { subjectId: null }, 'subject-missing'],
    ['a quantity of 0', { quantity: 0 }, 'quantity-invalid'],
    ['a fractional quantity', { quantity: 1.5 }, 'quantity-invalid'],
    ['a negative quantity', { quantity: -1 }, 'quantity-invalid'],
    ['more than the maximum quantity', { quantity: maxLineQuantity + 1 }, 'quantity-invalid'],
    ['a node that the package does not have', { textNodes: [textChoice(99, 'x')] }, 'node-unknown'],
  ])('adding a line with %s is rejected', (_name, change, problem) => {
    const { mutation, snapshot } = added(standard, 'a')
    const invalid = { mutation: { ...mutation, ...change } as RecordedMutation['mutation'], snapshot }
    expect(problemOf(emptyCart(1, 'gallery'), invalid)).toBe(problem)
  })

  test('a line without a package is rejected with the message of section 8, like a line without a subject', () => {
    const { mutation } = added(standard, 'a')
    expect(problemOf(emptyCart(1, 'gallery'), { mutation, snapshot: null })).toBe('package-missing')
    expect(cartProblemMessages['package-missing']).toBe('An error occurred')
    expect(cartProblemMessages['subject-missing']).toBe('An error occurred')
  })
})

describe('add-on packages (section 5)', () => {
  test.each<[string, RecordedMutation[], RecordedMutation, CartProblem | null]>([
    ['of type standard is allowed with a standard package', [added(standard, 'a')], added(needsStandard, 'x'), null],
    ['of type standard is rejected in an empty cart', [], added(needsStandard, 'x'), 'add-on-needs-standard'],
    [
      'of type standard is allowed with the package it names',
      [added(standard, 'a')],
      added(needsStandard100, 'x'),
      null,
    ],
    [
      'of type standard is rejected with another package than the one it names',
      [added(otherStandard, 'a')],
      added(needsStandard100, 'x'),
      'add-on-needs-standard',
    ],
    ['of type standard ignores its minimum price', [added(standard, 'a')], added(addOnWithIgnoredMinimum, 'x'), null],
    [
      'of type standard is allowed with any standard package if it names one without requiring it',
      [added(otherStandard, 'a')],
      added(namesStandardWithoutNeed, 'x'),
      null,
    ],
    [
      'of type price is rejected without the package it names, even if its minimum is reached',
      [added(otherStandard, 'a', 9)],
      added(needsPriceAndStandard100, 'x'),
      'add-on-needs-standard',
    ],
    [
      'of type price is allowed with the package it names if its minimum is reached',
      [added(standard, 'a')],
      added(needsPriceAndStandard100, 'x'),
      null,
    ],
    ['of type price is allowed if its minimum is reached', [added(standard, 'a')], added(needsTwenty, 'x'), null],
    [
      'of type price is rejected if only its own price reaches the minimum',
      [added(otherStandard, 'a')],
      added(needsTwenty, 'x'),
      'add-on-needs-standard',
    ],
    [
      'of type price is allowed if its minimum is reached exactly',
      [added(otherStandard, 'a', 2)],
      added(needsTwenty, 'x'),
      null,
    ],
    [
      'of type price is allowed with any standard package if it has no minimum',
      [added(otherStandard, 'a')],
      added(needsNoPrice, 'x'),
      null,
    ],
    ['of type price is rejected without a standard package', [], added(needsNoPrice, 'x'), 'add-on-needs-standard'],
  ])('an add-on %s', (_name, before, add, problem) => {
    expect(problemOf(cartAfter(...before), add)).toBe(problem)
  })
})

describe('cart rules (section 4)', () => {
  test('removing the last standard package clears the whole cart, including services', () => {
    const filled = cartAfter(added(standard, 'a'), added(needsStandard, 'x'))
    const service = { id: 1, cartId: 1, subjectId: 7, personId: null, orderServiceId: 1, price: 5 }
    const cart = {
      ...filled,
      cartOrderServicesDetails: { ...filled.cartOrderServicesDetails, cartOrderServices: [service] },
    }
    const applied = apply(cart, recorded({ do: 'line.remove', lineId: 'a' }))
    expect(applied).toMatchObject({ ok: true, dropped: [{ lineId: 'x' }] })
    expect(applied.ok && applied.cart).toMatchObject({
      cartPackages: [],
      subjects: [],
      cartOrderServicesDetails: { cartOrderServices: [] },
    })
  })

  test('while another standard package is left, only add-ons that require the removed one are dropped', () => {
    const cart = cartAfter(
      added(standard, 'a'),
      added(otherStandard, 'b'),
      added(needsStandard, 'x'),
      added(needsStandard100, 'y'),
    )
    expect(lineIds(applyChange(cart, { do: 'line.remove', lineId: 'a' }))).toEqual(['b', 'x'])
  })

  test('dropping an add-on also drops the add-on whose minimum it reached', () => {
    // A single standard package costs 10. With it, needsThirty reaches its minimum only through needsTwenty, which
    // costs 30 and itself needs 20 from other lines.
    const cart = cartAfter(added(otherStandard, 'a', 2), added(needsTwenty, 'x'), added(needsThirty, 'y'))
    const applied = apply(cart, recorded({ do: 'line.quantity', lineId: 'a', quantity: 1 }))
    expect(applied).toMatchObject({ ok: true, dropped: [{ lineId: 'x' }, { lineId: 'y' }] })
    expect(applied.ok && lineIds(applied.cart)).toEqual(['a'])
  })

  test('replacing a line is rejected if the add-ons dropped with the old line would disallow the new one', () => {
    const dependentAddOn = addOn(208, { packageId: 100 }, 15)
    const cart = cartAfter(added(standard, 'a'), added(otherStandard, 'b'), added(dependentAddOn, 'x'))
    expect(problemOf(cart, added(needsTwenty, 'a'))).toBe('add-on-needs-standard')
    expect(problemOf(cart, added(needsTwenty, 'b'))).toBe(null)
  })

  test('a changed quantity re-validates add-ons and keeps those whose minimum is still reached', () => {
    const cart = cartAfter(added(otherStandard, 'a', 3), added(needsTwenty, 'x'))
    expect(lineIds(applyChange(cart, { do: 'line.quantity', lineId: 'a', quantity: 2 }))).toEqual(['a', 'x'])
    expect(lineIds(applyChange(cart, { do: 'line.quantity', lineId: 'a', quantity: 1 }))).toEqual(['a'])
  })

  test('dropping a line drops its subject’s services, and the add-on whose minimum they reached', () => {
    const forBo = ({ mutation, ...rest }: RecordedMutation) => ({
      // both kinds of mutation have a subjectId
      mutation: { ...mutation, subjectId: 8 } as RecordedMutation['mutation'],
      ...rest,
    })
    const addOnOfBo = addOn(210, { type: 'addon_price', requiredMinPrice: 30 }, 5)
    const dependentAddOn = addOn(211, { type: 'addon_price', requiredMinPrice: 20 }, 1)
    const service = recorded({ do: 'service.set', ...keyOf(premiumRetouch), personalization: null, price: null })
    const cart = cartAfter(
      added(otherStandard, 'a', 3),
      forBo(added(addOnOfBo, 'x')),
      forBo({ ...service, snapshot: serviceSnapshotOf(premiumRetouch) }),
      added(dependentAddOn, 'y'),
    )
    const applied = apply(cart, recorded({ do: 'line.quantity', lineId: 'a', quantity: 1 }))
    expect(applied).toMatchObject({ ok: true, dropped: [{ lineId: 'x' }, { lineId: 'y' }] })
    expect(applied.ok && applied.cart).toMatchObject({
      cartPackages: [{ lineId: 'a' }],
      subjects: [{ subjectId: 7 }],
      cartOrderServicesDetails: { retouches: [] },
    })
  })

  test('a quantity of 0 removes the line', () => {
    const cart = cartAfter(added(standard, 'a'), added(standard, 'b'))
    expect(lineIds(applyChange(cart, { do: 'line.quantity', lineId: 'a', quantity: 0 }))).toEqual(['b'])
  })

  test('clearing removes everything', () => {
    const cart = cartAfter(added(standard, 'a'), added(needsStandard, 'x'))
    expect(applyChange(cart, { do: 'cart.clear' })).toMatchObject({ cartPackages: [], subjects: [] })
  })

  test('subjects without a line leave the cart', () => {
    const secondAdd = added(standard, 'b')
    const addForOtherSubject = {
      ...secondAdd,
      mutation: { ...secondAdd.mutation, subjectId: 8 } as RecordedMutation['mutation'],
    }
    const cart = cartAfter(added(standard, 'a'), addForOtherSubject)
    expect(cart.subjects.map((subject) => subject.subjectId)).toEqual([7, 8])
    expect(applyChange(cart, { do: 'line.remove', lineId: 'a' }).subjects.map((subject) => subject.subjectId)).toEqual([
      8,
    ])
  })
})

describe('edits of a line', () => {
  const cart = cartAfter(added(standard, 'a', 1, { textNodes: [textChoice(21, 'Ada')] }))
  const text = (changedCart: Cart) => changedCart.cartPackages[0]?.cartPackageItems[0]?.textNodes[0]?.value

  test('customising replaces the given content and leaves the rest', () => {
    const rotatedImage = { ...imageChoice(11), rotation: 90 }
    const edited = applyChange(cart, { do: 'line.customise', lineId: 'a', ...noContent, imageNodes: [rotatedImage] })
    expect(text(edited)).toBe('Ada')
    expect(edited.cartPackages[0]?.cartPackageItems[0]?.imageNodes[0]).toMatchObject({
      subjectImageId: 501,
      rotation: 90,
    })
  })

  test('an image that the line did not know is shown if the customisation contains its snapshot', () => {
    const choose = recorded({ do: 'line.customise', lineId: 'a', ...noContent, imageNodes: [imageChoice(11, 502)] })
    const newImage = { imageId: 502, width: 3000, height: 2000, thumbnailUrl: '/photos/1/502/thumb-b' }
    const applied = apply(cart, { ...choose, snapshot: { ...snapshotOf(standard), images: [newImage] } })
    const line = applied.ok ? applied.cart.cartPackages[0] : undefined
    expect(line?.cartPackageItems[0]?.imageNodes[0]?.imageThumbnailUrl).toBe('/photos/1/502/thumb-b')
    expect(line?.snapshot.images.map((image) => image.imageId)).toEqual([501, 502])
  })

  test('accepting a newer version takes its price and keeps content whose node still exists', () => {
    const newer = packageOf({
      version: 2,
      retailCost: 30,
      items: [packageItem({ textNodes: [textNode(), textNode({ id: 22 })] })],
    })
    const applied = apply(cart, recorded({ do: 'line.accept', lineId: 'a', packageVersion: 2 }, newer))
    const line = applied.ok ? applied.cart.cartPackages[0] : undefined
    expect(line).toMatchObject({ price: 30, snapshot: { package: { version: 2 } } })
    expect(line?.cartPackageItems[0]?.textNodes.map((node) => node.value)).toEqual(['Ada', ''])
  })

  test.each<[string, Change, CartProblem]>([
    ['changing the quantity of a missing line', { do: 'line.quantity', lineId: 'z', quantity: 2 }, 'line-unknown'],
    ['customising a missing line', { do: 'line.customise', lineId: 'z', ...noContent }, 'line-unknown'],
    [
      'accepting a package version without its snapshot',
      { do: 'line.accept', lineId: 'a', packageVersion: 2 },
      'package-missing',
    ],
    ['changing a quantity to a fraction', { do: 'line.quantity', lineId: 'a', quantity: 0.5 }, 'quantity-invalid'],
    [
      'customising a node of another package',
      { do: 'line.customise', lineId: 'a', ...noContent, imageNodes: [imageChoice(99)] },
      'node-unknown',
    ],
  ])('%s is rejected', (_name, change, problem) => expect(problemOf(cart, recorded(change))).toBe(problem))

  test.each<Change>([
    { do: 'line.remove', lineId: 'z' },
    { do: 'line.quantity', lineId: 'z', quantity: 0 },
  ])('removing a missing line changes nothing: %j', (change) => expect(applyChange(cart, change)).toEqual(cart))

  test('a full cart accepts changes of its lines, but no new line', () => {
    const full = cartAfter(...Array.from({ length: maxCartLines }, (_, line) => added(standard, `line ${line}`)))
    expect(problemOf(full, added(standard, 'one more'))).toBe('cart-full')
    expect(problemOf(full, added(standard, 'line 0', 5))).toBeNull()
    const cartWithRoom = applyChange(full, { do: 'line.remove', lineId: 'line 0' })
    expect(problemOf(cartWithRoom, added(standard, 'one more'))).toBeNull()
  })

  test('the maximum quantity is accepted and one more is rejected', () => {
    expect(problemOf(cart, added(standard, 'b', maxLineQuantity))).toBeNull()
    expect(problemOf(cart, recorded({ do: 'line.quantity', lineId: 'a', quantity: maxLineQuantity }))).toBeNull()
    const aboveMaximum = recorded({ do: 'line.quantity', lineId: 'a', quantity: maxLineQuantity + 1 })
    expect(problemOf(cart, aboveMaximum)).toBe('quantity-invalid')
  })

  test('equal custom fields leave the subject’s other lines untouched, and no fields clear those of all lines', () => {
    const dataFields = [{ subjectId: 7, name: 'Grade', value: '2', templateId: null, optionId: null }]
    const twoLines = cartAfter(added(standard, 'a', 1, { dataFields }), added(standard, 'b'))
    const unchanged = applyChange(twoLines, {
      do: 'line.customise',
      lineId: 'a',
      ...noContent,
      dataFields: [...dataFields],
    })
    expect(unchanged.cartPackages[1]).toBe(twoLines.cartPackages[1])
    const withoutFields = applyChange(twoLines, { do: 'line.customise', lineId: 'a', ...noContent })
    expect(withoutFields.cartPackages.map((line) => line.dataFields)).toEqual([[], []])
  })

  test('adding the subject’s only line again without fields clears its fields', () => {
    const dataFields = [{ subjectId: 7, name: 'Grade', value: '2', templateId: null, optionId: null }]
    const result = cartAfter(added(standard, 'a', 1, { dataFields }), added(standard, 'a'))
    expect(result.cartPackages.map((line) => line.dataFields)).toEqual([[]])
  })

  test.each(['frozen', 'ordered'] as const)('a cart that is %s accepts no change', (state) => {
    expect(problemOf({ ...cart, state }, recorded({ do: 'cart.clear' }))).toBe('cart-closed')
  })
})

test('a line costs its price times its quantity in whole cents, and a standard package is always allowed', () => {
  const [line] = cartAfter(added(packageOf({ retailCost: 19.99 }), 'a', 3)).cartPackages
  expect(line && lineCents(line)).toBe(5997)
  expect(line && isAddOnAllowed(cartAfter(), line)).toBe(true)
})
