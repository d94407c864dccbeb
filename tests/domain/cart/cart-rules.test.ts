import { describe, expect, test } from 'vitest'
import { cartCents, isAddOnAllowed, lineCents } from '#domain/cart/add-ons.ts'
import { type Cart, emptyCart } from '#domain/cart/cart.ts'
import {
  applyMutation,
  type CartProblem,
  cartProblemMessages,
  maxCartLines,
  maxLineQuantity,
} from '#domain/cart/cart-rules.ts'
import type { Change, RecordedMutation } from '#domain/cart/mutation.ts'
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
const needsThatStandard = addOn(201, { packageId: 100 })
const namesOne = addOn(205, { requiresStandard: false, packageId: 100 })
const standardWithPrice = addOn(207, { requiredMinPrice: 999 })
const needsPriceAndThat = addOn(206, { type: 'addon_price', requiredMinPrice: 20, packageId: 100 })
const needsTwenty = addOn(202, { type: 'addon_price', requiredMinPrice: 20 }, 30)
const needsThirty = addOn(203, { type: 'addon_price', requiredMinPrice: 30 })
const needsNoPrice = addOn(204, { type: 'addon_price', requiredMinPrice: null })

const lineIds = (cart: Cart): string[] => cart.cartPackages.map((line) => line.lineId)
const apply = (cart: Cart, one: RecordedMutation) => applyMutation(cart, one.mutation, one.snapshot)
const changed = (cart: Cart, change: Change): Cart => {
  const applied = apply(cart, recorded(change))
  if (!applied.ok) throw new Error(applied.problem)
  return applied.cart
}
const problemOf = (cart: Cart, one: RecordedMutation): CartProblem | null => {
  const applied = apply(cart, one)
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
    ['nothing of it', { quantity: 0 }, 'quantity-invalid'],
    ['half of it', { quantity: 1.5 }, 'quantity-invalid'],
    ['less than nothing', { quantity: -1 }, 'quantity-invalid'],
    ['too many', { quantity: maxLineQuantity + 1 }, 'quantity-invalid'],
    ['a node it does not have', { textNodes: [textChoice(99, 'x')] }, 'node-unknown'],
  ])('is refused with %s', (_name, change, problem) => {
    const { mutation, snapshot } = added(standard, 'a')
    const wrong = { mutation: { ...mutation, ...change } as RecordedMutation['mutation'], snapshot }
    expect(problemOf(emptyCart(1, 'gallery'), wrong)).toBe(problem)
  })

  test('a line without a package is rejected with the message of section 8', () => {
    const { mutation } = added(standard, 'a')
    expect(problemOf(emptyCart(1, 'gallery'), { mutation, snapshot: null })).toBe('package-missing')
    expect(cartProblemMessages['package-missing']).toBe('An error occurred')
    expect(cartProblemMessages['subject-missing']).toBe('An error occurred')
  })
})

describe('add-on packages (section 5)', () => {
  test.each<[string, RecordedMutation[], RecordedMutation, CartProblem | null]>([
    ['standard kind, standard package there', [added(standard, 'a')], added(needsStandard, 'x'), null],
    ['standard kind, nothing there', [], added(needsStandard, 'x'), 'add-on-needs-standard'],
    ['standard kind, the one it names', [added(standard, 'a')], added(needsThatStandard, 'x'), null],
    ['standard kind, another', [added(otherStandard, 'a')], added(needsThatStandard, 'x'), 'add-on-needs-standard'],
    ['standard kind, whatever minimum it has', [added(standard, 'a')], added(standardWithPrice, 'x'), null],
    ['standard kind, any where it names one but needs none', [added(otherStandard, 'a')], added(namesOne, 'x'), null],
    [
      'price kind, reached, without the one it names',
      [added(otherStandard, 'a', 9)],
      added(needsPriceAndThat, 'x'),
      'add-on-needs-standard',
    ],
    ['price kind, reached, with the one it names', [added(standard, 'a')], added(needsPriceAndThat, 'x'), null],
    ['price kind, reached', [added(standard, 'a')], added(needsTwenty, 'x'), null],
    [
      'price kind, its own price does not count',
      [added(otherStandard, 'a')],
      added(needsTwenty, 'x'),
      'add-on-needs-standard',
    ],
    ['price kind, exactly', [added(otherStandard, 'a', 2)], added(needsTwenty, 'x'), null],
    ['price kind, minimum 0 by default', [added(otherStandard, 'a')], added(needsNoPrice, 'x'), null],
    ['price kind without a standard package', [], added(needsNoPrice, 'x'), 'add-on-needs-standard'],
  ])('%s', (_name, before, add, problem) => {
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
      added(needsThatStandard, 'y'),
    )
    expect(lineIds(changed(cart, { do: 'line.remove', lineId: 'a' }))).toEqual(['b', 'x'])
  })

  test('dropping an add-on also drops the add-on whose minimum it reached', () => {
    // needsThirty is allowed by 10 + 30 only while needsTwenty, which costs 30 and needs 20 of other lines, is in the
    // cart.
    const cart = cartAfter(added(otherStandard, 'a', 2), added(needsTwenty, 'x'), added(needsThirty, 'y'))
    const applied = apply(cart, recorded({ do: 'line.quantity', lineId: 'a', quantity: 1 }))
    expect(applied).toMatchObject({ ok: true, dropped: [{ lineId: 'x' }, { lineId: 'y' }] })
    expect(applied.ok && lineIds(applied.cart)).toEqual(['a'])
  })

  test('replacing a line is rejected if the add-ons dropped with the old line would disallow the new one', () => {
    const carried = addOn(208, { packageId: 100 }, 15)
    const cart = cartAfter(added(standard, 'a'), added(otherStandard, 'b'), added(carried, 'x'))
    expect(problemOf(cart, added(needsTwenty, 'a'))).toBe('add-on-needs-standard')
    expect(problemOf(cart, added(needsTwenty, 'b'))).toBe(null)
  })

  test('a changed quantity re-validates add-ons and keeps those whose minimum is still reached', () => {
    const cart = cartAfter(added(otherStandard, 'a', 3), added(needsTwenty, 'x'))
    expect(lineIds(changed(cart, { do: 'line.quantity', lineId: 'a', quantity: 2 }))).toEqual(['a', 'x'])
    expect(lineIds(changed(cart, { do: 'line.quantity', lineId: 'a', quantity: 1 }))).toEqual(['a'])
  })

  test('dropping a line drops its subject’s services, and the add-on whose minimum they reached', () => {
    const ofBo = ({ mutation, ...more }: RecordedMutation) => ({
      mutation: { ...mutation, subjectId: 8 } as RecordedMutation['mutation'], // an add or a service, which both have one
      ...more,
    })
    const bos = addOn(210, { type: 'addon_price', requiredMinPrice: 30 }, 5)
    const carried = addOn(211, { type: 'addon_price', requiredMinPrice: 20 }, 1)
    const service = recorded({ do: 'service.set', ...keyOf(premiumRetouch), personalization: null, price: null })
    const cart = cartAfter(
      added(otherStandard, 'a', 3),
      ofBo(added(bos, 'x')),
      ofBo({ ...service, snapshot: serviceSnapshotOf(premiumRetouch) }),
      added(carried, 'y'),
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
    expect(lineIds(changed(cart, { do: 'line.quantity', lineId: 'a', quantity: 0 }))).toEqual(['b'])
  })

  test('clearing removes everything', () => {
    const cart = cartAfter(added(standard, 'a'), added(needsStandard, 'x'))
    expect(changed(cart, { do: 'cart.clear' })).toMatchObject({ cartPackages: [], subjects: [] })
  })

  test('subjects without a line leave the cart', () => {
    const grace = added(standard, 'b')
    const other = { ...grace, mutation: { ...grace.mutation, subjectId: 8 } as RecordedMutation['mutation'] }
    const cart = cartAfter(added(standard, 'a'), other)
    expect(cart.subjects.map((one) => one.subjectId)).toEqual([7, 8])
    expect(changed(cart, { do: 'line.remove', lineId: 'a' }).subjects.map((one) => one.subjectId)).toEqual([8])
  })
})

describe('edits of a line', () => {
  const cart = cartAfter(added(standard, 'a', 1, { textNodes: [textChoice(21, 'Ada')] }))
  const text = (of: Cart) => of.cartPackages[0]?.cartPackageItems[0]?.textNodes[0]?.value

  test('customising replaces the given content and leaves the rest', () => {
    const cropped = { ...imageChoice(11), rotation: 90 }
    const edited = changed(cart, { do: 'line.customise', lineId: 'a', ...noContent, imageNodes: [cropped] })
    expect(text(edited)).toBe('Ada')
    expect(edited.cartPackages[0]?.cartPackageItems[0]?.imageNodes[0]).toMatchObject({
      subjectImageId: 501,
      rotation: 90,
    })
  })

  test('an image that the line did not know is shown if the customisation brings it along', () => {
    const choose = recorded({ do: 'line.customise', lineId: 'a', ...noContent, imageNodes: [imageChoice(11, 502)] })
    const fact = { imageId: 502, width: 3000, height: 2000, thumbnailUrl: '/photos/1/502/thumb-b' }
    const applied = apply(cart, { ...choose, snapshot: { ...snapshotOf(standard), images: [fact] } })
    const line = applied.ok ? applied.cart.cartPackages[0] : undefined
    expect(line?.cartPackageItems[0]?.imageNodes[0]?.imageThumbnailUrl).toBe('/photos/1/502/thumb-b')
    expect(line?.snapshot.images.map((one) => one.imageId)).toEqual([501, 502])
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
    ['a line that is not there', { do: 'line.quantity', lineId: 'z', quantity: 2 }, 'line-unknown'],
    ['customising one that is not there', { do: 'line.customise', lineId: 'z', ...noContent }, 'line-unknown'],
    ['accepting without the version', { do: 'line.accept', lineId: 'a', packageVersion: 2 }, 'package-missing'],
    ['a broken quantity', { do: 'line.quantity', lineId: 'a', quantity: 0.5 }, 'quantity-invalid'],
    [
      'a foreign node',
      { do: 'line.customise', lineId: 'a', ...noContent, imageNodes: [imageChoice(99)] },
      'node-unknown',
    ],
  ])('refuses %s', (_name, change, problem) => expect(problemOf(cart, recorded(change))).toBe(problem))

  test.each<Change>([
    { do: 'line.remove', lineId: 'z' },
    { do: 'line.quantity', lineId: 'z', quantity: 0 },
  ])('removing a missing line changes nothing: %j', (change) => expect(changed(cart, change)).toEqual(cart))

  test('a full cart accepts no more lines, but changes of its lines', () => {
    const full = cartAfter(...Array.from({ length: maxCartLines }, (_, line) => added(standard, `line ${line}`)))
    expect(problemOf(full, added(standard, 'one more'))).toBe('cart-full')
    expect(problemOf(full, added(standard, 'line 0', 5))).toBeNull()
    const room = changed(full, { do: 'line.remove', lineId: 'line 0' })
    expect(problemOf(room, added(standard, 'one more'))).toBeNull()
  })

  test('the maximum quantity is accepted and one more is rejected', () => {
    expect(problemOf(cart, added(standard, 'b', maxLineQuantity))).toBeNull()
    expect(problemOf(cart, recorded({ do: 'line.quantity', lineId: 'a', quantity: maxLineQuantity }))).toBeNull()
    const more = recorded({ do: 'line.quantity', lineId: 'a', quantity: maxLineQuantity + 1 })
    expect(problemOf(cart, more)).toBe('quantity-invalid')
  })

  test('equal custom fields leave the subject’s other lines untouched', () => {
    const dataFields = [{ subjectId: 7, name: 'Grade', value: '2', templateId: null, optionId: null }]
    const both = cartAfter(added(standard, 'a', 1, { dataFields }), added(standard, 'b'))
    const same = changed(both, { do: 'line.customise', lineId: 'a', ...noContent, dataFields: [...dataFields] })
    expect(same.cartPackages[1]).toBe(both.cartPackages[1])
    const none = changed(both, { do: 'line.customise', lineId: 'a', ...noContent })
    expect(none.cartPackages.map((line) => line.dataFields)).toEqual([[], []])
  })

  test('adding the subject’s only line again without fields clears its fields', () => {
    const dataFields = [{ subjectId: 7, name: 'Grade', value: '2', templateId: null, optionId: null }]
    const one = cartAfter(added(standard, 'a', 1, { dataFields }), added(standard, 'a'))
    expect(one.cartPackages.map((line) => line.dataFields)).toEqual([[]])
  })

  test.each(['frozen', 'ordered'] as const)('a cart that is %s accepts no change', (state) => {
    expect(problemOf({ ...cart, state }, recorded({ do: 'cart.clear' }))).toBe('cart-closed')
  })
})

test('a line costs its price times its quantity, in whole cents', () => {
  const [line] = cartAfter(added(packageOf({ retailCost: 19.99 }), 'a', 3)).cartPackages
  expect(line && lineCents(line)).toBe(5997)
  expect(line && isAddOnAllowed(cartAfter(), line)).toBe(true)
})
