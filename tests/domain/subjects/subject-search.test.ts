import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { matchesTypedNames, nameSearchErrors, searchKey, searchPatterns } from '#domain/subjects/subject-search.ts'

describe('names are compared without case, accents, spaces, dashes and apostrophes', () => {
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
  ])('the key of the name %j is %j', (name, key) => expect(searchKey(name)).toBe(key))

  test('composed and decomposed names have the same key, and a key is its own key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        expect(searchKey(name.normalize('NFC'))).toBe(searchKey(name.normalize('NFD')))
        expect(searchKey(searchKey(name))).toBe(searchKey(name))
      }),
    )
  })
})

describe('a search needs a letter of the first name, and a last name unless the first name may be complete', () => {
  const letter = ['Type at least the first letter']
  const missing = ['This field is required']
  test.each([
    ['A', 'Lovelace', {}],
    ['A', 'L', {}],
    ['Cher', '', {}],
    ['明', '王', {}],
    ['', ' ', { firstName: missing, lastName: missing }],
    ['', 'Lovelace', { firstName: missing }],
    ['A', ' ', { lastName: missing }],
    ['-', "O'", { firstName: letter }],
  ])('%j %j has the errors %j (section 5)', (firstName, lastName, errors) =>
    expect(nameSearchErrors({ firstName, lastName })).toEqual(errors),
  )
})

const parseName = (name: string) => {
  const [firstName = '', lastName = ''] = name.split(' | ')
  return { firstName, lastName }
}

const matchingNames: [typed: string, subject: string][] = [
  ['a | lovelace', 'Ada | Lovelace'],
  ['ADA | LOVELACE', 'Ada | Lovelace'],
  ['Ad | Love-lace', 'Ada | Lovelace'],
  ['Lovelace | Ada', 'Ada | Lovelace'],
  ['Lovelace | A', 'Ada | Lovelace'],
  ['ada | l', 'Lovelace | Ada'],
  ['m | garcia', 'María | García López'],
  ['m | lopez', 'María | García López'],
  ['m | Garcia Lopez', 'María | García López'],
  ['m | lopez garcia', 'María | García López'],
  ['j | cruz', 'Juan | De la Cruz'],
  ['j | delacruz', 'Juan | De la Cruz'],
  ['j | la cruz', 'Juan | De la Cruz'],
  ['z | oconnor', 'Zoë | O’Connor'],
  ['z | O Connor', 'Zoë | O’Connor'],
  ["z | O'Connor", 'Zoë | O Connor'],
  ['k | jones', 'Kim | Smith-Jones'],
  ['m | muller', 'Max | Müller'],
  ['m | mueller', 'Max | Müller'],
  ['m | müller', 'Max | Mueller'],
  ['soren | k', 'Søren | K'],
  ['s | moerk', 'Søren | Mørk'],
  ['s | mork', 'Søren | Mørk'],
  ['soeren | mørk', 'Soren | Moerk'],
  ['bob | smith', 'Robert "Bob" | Smith'],
  ['bob | smith', 'Robert “Bob” | Smith'],
  ['bob | smith', "Robert 'Bob' | Smith"],
  ['ann | smith', 'Mary Ann | Smith'],
  ['maryann | smith', 'Mary-Ann | Smith'],
  ['cher | ', 'Cher | '],
  ['Cher | Sarkisian', 'Cher | '],
  ['bob | ', 'Robert "Bob" | '],
  ['robert | ', 'Robert "Bob" | '],
  ['emma | ', 'Emma | S.'],
  ['emma | s', 'Emma | S.'],
  ['emma | smith', 'Emma | S.'],
  ['明 | 王', '明 | 王'],
  ['王 | 明', '明 | 王'],
  ['x | x', 'X | '],
  ['x | kowalski', ' | Kowalski'],
]

const otherNames: [typed: string, subject: string][] = [
  ['d | lovelace', 'Ada | Lovelace'],
  ['a | lovel', 'Ada | Lovelace'],
  ['a | lo', 'Ada | Lovelace'],
  ['a | lovelaces', 'Ada | Lovelace'],
  ['a | l', 'Ada | Lovelace'],
  ['ada | ', 'Ada | Lovelace'],
  ['lovelace | ', 'Ada | Lovelace'],
  ['m | garcia perez', 'María | García López'],
  ['m | garcialo', 'María | García López'],
  ['m | smith johnson garcia', 'María | García López'],
  ['z | o', 'Zoë | O Connor'],
  ['z | connor', 'Zoë | O’Connor'],
  ['e | smith', 'Emma | S.'],
  ['emm | s', 'Emma | S.'],
  ['emma | jones', 'Emma | S.'],
  ['c | sarkisian', 'Cher | '],
  ['che | ', 'Cher | '],
  ['明 | 李', '明 | 王'],
  ['x | kowal', ' | Kowalski'],
  ['ob | smith', 'Robert "Bob" | Smith'],
  ['a | b', ' | '],
  ['m | o o', 'Max | Müller O'],
  ['a | lovelace', 'Lovelace | Ada'],
]

describe('a subject is found by a letter of the first name and a whole word of the last name', () => {
  test.each(matchingNames)('the search %j finds the subject %j', (typed, subject) =>
    expect(matchesTypedNames(parseName(typed), parseName(subject))).toBe(true),
  )
  test.each(otherNames)('the search %j does not find the subject %j', (typed, subject) =>
    expect(matchesTypedNames(parseName(typed), parseName(subject))).toBe(false),
  )

  const matchesPatterns = (typed: string, subject: string): boolean => {
    const { firstName, lastName } = parseName(subject)
    const { last, first } = searchPatterns(parseName(typed))
    const [firstKey, lastKey] = [searchKey(firstName), searchKey(lastName)]
    const matchesAny = (patterns: string[], key: string) => patterns.some((pattern) => new RegExp(pattern).test(key))
    return matchesAny(last, lastKey) || ([...lastKey].length < 2 && matchesAny(first, firstKey))
  }
  test.each(matchingNames)('the search patterns of %j match the subject %j', (typed, subject) =>
    expect(matchesPatterns(typed, subject)).toBe(true),
  )

  test('every subject found by the rule is matched by the patterns', () => {
    const name = fc
      .array(fc.constantFrom('Müller', 'mueller', 'Zoë', "O'Connor", 'O', 'de', 'la', '"Bob"', 'Ae', 'ue', 'ø', '王'), {
        maxLength: 3,
      })
      .map((words) => words.join(' '))
    const names = fc.record({ firstName: name, lastName: name })
    fc.assert(
      fc.property(names, names, ({ firstName, lastName }, subject) => {
        const [typed, subjectName] = [`${firstName} | ${lastName}`, `${subject.firstName} | ${subject.lastName}`]
        fc.pre(matchesTypedNames({ firstName, lastName }, subject))
        expect(matchesPatterns(typed, subjectName)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})
