import { describe, expect, test } from 'vitest'
import { inputTypes, sanitizeInput } from '#domain/shared/validators.ts'

test('the input types are text, textarea and alphanumeric (section 5)', () => {
  expect(inputTypes).toEqual(['text', 'textarea', 'alphanumeric'])
})

describe('sanitizing typed text (section 5)', () => {
  test.each([
    ['alphanumeric', 'AB-12_!', 'AB12'],
    ['alphanumeric', 'two words\tand\nlines', 'two words\tand\nlines'],
    ['alphanumeric', 'Zoë Ñandú 3', 'Zoë Ñandú 3'],
    ['alphanumeric', 'Zoe\u0308', 'Zoe\u0308'],
    ['alphanumeric', '~', ''],
    ['text', 'a~b~c', 'abc'],
    ['text', "O'Brien & sons!", "O'Brien & sons!"],
    ['textarea', '~line\n~line', 'line\nline'],
    ['text', '', ''],
  ] as const)('sanitizing for the type %s turns %j into %j', (type, typed, cleaned) => {
    expect(sanitizeInput(type, typed)).toBe(cleaned)
  })
})
