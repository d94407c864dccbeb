import fc from 'fast-check'
import { expect, test } from 'vitest'
import { joinName, splitName } from '#client/customer/checkout/form/checkout-form-values.ts'

test.each([
  ['Anne Lovelace', { firstName: 'Anne', lastName: 'Lovelace' }],
  ['  Maria  de la   Cruz ', { firstName: 'Maria de la', lastName: 'Cruz' }],
  ['Cher', { firstName: 'Cher', lastName: '' }],
  ['', { firstName: '', lastName: '' }],
])('%j is split at its last space', (name, parts) => {
  expect(splitName(name)).toEqual(parts)
})

test('no word of a name is lost or moved', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^\S{1,8}$/), { minLength: 1, maxLength: 6 }), (words) => {
      expect(joinName(splitName(words.join('  ')))).toBe(words.join(' '))
    }),
  )
})
