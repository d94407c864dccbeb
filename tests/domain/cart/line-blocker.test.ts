import { expect, test } from 'vitest'
import type { CartPackage, WithdrawnContent } from '#domain/cart/cart.ts'
import { lineBlocker } from '#domain/cart/line-blocker.ts'
import { applyMutation } from '#domain/cart/mutations.ts'
import { added, cartAfter, imageChoice, packageOf, recorded, textChoice } from './cart-fixtures.ts'

const cart = cartAfter(
  added(packageOf(), 'l1', 1, { imageNodes: [imageChoice(11, 501)], textNodes: [textChoice(21, 'Ada')] }),
)
const lineWith = (withdrawn: WithdrawnContent | undefined): CartPackage => {
  const [line] = cart.cartPackages
  if (!line) throw new Error('the cart has no line')
  return { ...line, snapshot: { ...line.snapshot, withdrawn } }
}

test.each<[string, WithdrawnContent | undefined, ReturnType<typeof lineBlocker>]>([
  ['nothing withdrawn', undefined, null],
  ['a withdrawn image', { person: null, imageIds: [501] }, 'photo-withdrawn'],
  ['a withdrawn image that it does not use', { person: null, imageIds: [502] }, null],
  ['a hidden subject', { person: 'hidden', imageIds: [] }, 'person-hidden'],
  ['a subject that is no longer confirmed', { person: 'unconfirmed', imageIds: [501] }, 'person-unconfirmed'],
])('the blocker is computed for a line with %s', (_, withdrawn, expected) => {
  expect(lineBlocker(lineWith(withdrawn))).toBe(expected)
})

test('a line of a hidden subject without an image has its own blocker', () => {
  const [line] = cartAfter(added(packageOf(), 'l1', 1)).cartPackages
  if (!line) throw new Error('the cart has no line')
  const withdrawn: WithdrawnContent = { person: 'hidden', imageIds: [] }
  expect(lineBlocker({ ...line, snapshot: { ...line.snapshot, withdrawn } })).toBe('person-hidden-without-photo')
})

test('a line whose withdrawn image was replaced is not blocked, even before the server responds', () => {
  const withdrawn = { ...cart, cartPackages: [lineWith({ person: null, imageIds: [501] })] }
  const { mutation, snapshot } = recorded({
    do: 'line.customise',
    lineId: 'l1',
    greenScreenBackgroundId: null,
    dataFields: [],
    textNodes: [textChoice(21, 'Ada')],
    imageNodes: [imageChoice(11, 502)],
  })
  const applied = applyMutation(withdrawn, mutation, snapshot)
  if (!applied.ok) throw new Error(applied.problem)
  expect(applied.cart.cartPackages.map(lineBlocker)).toEqual([null])
})
