import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isFound, nameErrors, personSearch, searchKey } from '../../src/domain/person-search.ts'

describe('names are compared without case, accents, blanks, dashes and apostrophes', () => {
  test.each([
    ['Zoë', 'zoe'],
    ["O'Brien", 'obrien'],
    ['O’Brien', 'obrien'],
    ['De la Cruz', 'delacruz'],
    ['Smith-Jones', 'smithjones'],
    ['Łukasz', 'lukasz'],
    ['Søren', 'soren'],
    ['Weiß', 'weiss'],
    ['Ñandú', 'nandu'],
    ['  ', ''],
    ['王', '王'],
  ])('%s is %s', (name, key) => expect(searchKey(name)).toBe(key))

  test('composed or decomposed is the same name, and a key is its own key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        expect(searchKey(name.normalize('NFC'))).toBe(searchKey(name.normalize('NFD')))
        expect(searchKey(searchKey(name))).toBe(searchKey(name))
      }),
    )
  })
})

describe('the search needs a letter of the first name and two of the last', () => {
  test.each([
    ['A', 'Lo', true],
    ['', 'Lovelace', false],
    ['Ada', 'L', false],
    ['-', 'Lo', false],
    ['A', "O'", false],
    ['A', "O'B", true],
  ])('%j %j: %s', (firstName, lastName, may) => expect(personSearch({ firstName, lastName }) !== null).toBe(may))

  const letter = ['Type at least the first letter']
  const letters = ['Type at least two letters']
  const missing = ['This field is required']
  test.each([
    ['A', 'Lo', {}],
    ['', ' ', { firstName: missing, lastName: missing }],
    ['Ada', 'L', { lastName: letters }],
    ['-', "O'", { firstName: letter, lastName: letters }],
  ])('%j %j lacks %j (section 5)', (firstName, lastName, errors) =>
    expect(nameErrors({ firstName, lastName })).toEqual(errors),
  )

  test.each([
    ['a', 'lo', true],
    ['ADA', 'LOVELACE', true],
    ['Ad', 'Love lace', true],
    ['d', 'lo', false],
    ['a', 've', false],
  ])('%j %j finds Ada Lovelace: %s', (firstName, lastName, found) => {
    const search = personSearch({ firstName, lastName })
    expect(search && isFound(search, { firstName: 'Ada', lastName: 'Lovelace' })).toBe(found)
  })
})
