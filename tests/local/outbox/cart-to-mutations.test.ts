import { expect, test } from 'vitest'
import { type CartPackage, emptyCart } from '#domain/cart/cart.ts'
import { replayMutations } from '#domain/cart/replay.ts'
import { restoreLineMutations } from '#local/outbox/cart-to-mutations.ts'
import { imageChoice, lineOf, packageOf, textChoice } from '#tests/domain/cart/cart-fixtures.ts'

/** A line with a value in every field. The test does not compile until a new field of lines is added here. */
const fullLine: Required<CartPackage> = {
  ...lineOf(packageOf(), { textNodes: [textChoice(21, 'Ada')], imageNodes: [imageChoice(11)] }),
  id: null,
  quantity: 3,
  greenScreen: { id: 5 },
  dataFields: [{ subjectId: 7, name: 'Grade', value: '2', templateId: null, optionId: 3 }],
}

test('a line that is restored has the same value in every field', () => {
  const stamp = { now: () => '2027-04-15T10:00:00.000Z', newId: () => '0f1e2d3c-4b5a-4678-9abc-000000000001' }
  const { cart, rejected } = replayMutations(emptyCart(12, 'gallery'), restoreLineMutations(fullLine, stamp))
  expect(rejected).toEqual([])
  expect(cart.cartPackages).toEqual([fullLine])
})
