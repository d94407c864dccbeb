import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normalizeAuthenticatorCode, normalizeRecoveryCode, recoveryCodeFrom } from '#domain/studio/two-factor.ts'

describe('recovery codes', () => {
  test('a code has two groups of five characters that cannot be misread', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 10, maxLength: 12 }), (bytes) => {
        const code = recoveryCodeFrom(bytes)
        expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/)
        expect(normalizeRecoveryCode(` ${code.toLowerCase().replace('-', ' – ')}`)).toBe(code)
      }),
    )
    expect(() => recoveryCodeFrom(new Uint8Array(9))).toThrow('A recovery code takes 10 random bytes')
  })

  test.each([
    ['OIL00-ABCDE', '01100-ABCDE'],
    ['abcdefghjk', 'ABCDE-FGHJK'],
    ['ABCDE-FGHJ', null],
    ['ABCDE-FGHJU', null],
    ['', null],
  ])('the typed code %j is read as %j', (typed, code) => expect(normalizeRecoveryCode(typed)).toBe(code))
})

test.each([
  ['123456', '123456'],
  [' 123 456 ', '123456'],
  ['123-456', '123456'],
  ['12345', null],
  ['1234567', null],
  ['12345a', null],
  ['', null],
])('the typed code of an authenticator app %j is read as %j', (typed, code) =>
  expect(normalizeAuthenticatorCode(typed)).toBe(code),
)
