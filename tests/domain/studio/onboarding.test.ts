import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { validate } from '#domain/shared/validators.ts'
import { onboardingRules } from '#domain/studio/onboarding.ts'
import { isSlug, slugError, slugFromName } from '#domain/studio/studio-slug.ts'
import {
  defaultUserPreferences,
  minPasswordLength,
  newPassword,
  userPreferenceBounds,
} from '#domain/studio/user-account.ts'

describe('a new password', () => {
  const rule = newPassword()
  test.each([
    ['a good long one', null],
    ['1234567890', null],
    ['123456789', 'Please use at least 10 characters'],
    ['🎈🎈🎈🎈🎈', 'Please use at least 10 characters'],
    [undefined, 'Please use at least 10 characters'],
    ['x'.repeat(200), null],
    ['x'.repeat(201), 'Please use at most 200 characters'],
    ['Ada@Studio.test', 'Please choose something other than your email'],
  ])('the password %j is validated: %s', (value, message) =>
    expect(rule(value, { email: 'ada@studio.test ' })).toBe(message),
  )

  test('a new password is valid without an e-mail address in the form, and has at least 10 characters', () => {
    expect(rule('ada@studio.test', {})).toBeNull()
    expect(rule('ada@studio.test', null)).toBeNull()
    expect(minPasswordLength).toBe(10)
  })
})

describe('the slug suggested for a name', () => {
  test.each([
    ['Northlight Photo', 'northlight-photo'],
    ['  Müller & Söhne, Foto-Studio  ', 'muller-sohne-foto-studio'],
    ['Dana’s Pictures', 'danas-pictures'],
    ['写真館', ''],
    [`${'a'.repeat(62)} b`, 'a'.repeat(62)],
  ])('the slug suggested for the name %j is %j', (name, slug) => expect(slugFromName(name)).toBe(slug))

  it('a suggested slug is valid, empty, reserved, or a number', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        const slug = slugFromName(name)
        const error = slugError(slug)
        expect(slug === '' || error === null || /a page of ours|at least one letter/.test(error)).toBe(true)
      }),
    )
  })
})

test.each([
  ['a--b', 'Please use small letters, digits and single dashes between them'],
  ['-a', 'Please use small letters, digits and single dashes between them'],
  ['a'.repeat(64), 'Please use at most 63 characters'],
  ['2027', 'Please use at least one letter'],
  ['setup', 'This address is used by a page of ours. Please choose another'],
  ['northlight', null],
])('the slug %j is validated: %s', (slug, message) => {
  expect(slugError(slug)).toBe(message)
  expect(isSlug(slug)).toBe(message === null)
})

describe('the fields of a new studio', () => {
  const validFields = {
    ...{ studioName: 'Northlight', slug: 'northlight', accountNumber: 'NL-7', name: 'Nora' },
    ...{ email: ' nora@northlight.test ', password: 'a good long one' },
  }
  test.each([
    ['with all of them', {}, {}],
    ['without an account number', { accountNumber: undefined }, {}],
    ['with a blank account number', { accountNumber: ' ' }, {}],
    [
      'with an account number of one letter',
      { accountNumber: 'N' },
      { accountNumber: ['Please use 2 to 40 letters, digits and dashes, starting with a letter or digit'] },
    ],
    ['without a slug', { slug: '' }, { slug: ['This field is required'] }],
    ['without a studio name', { studioName: ' ' }, { studioName: ['This field is required'] }],
    ['without an e-mail address', { email: ' ' }, { email: ['This field is required'] }],
    ['with an invalid e-mail address', { email: 'nora' }, { email: ['This value is not a valid email address'] }],
    [
      'with the e-mail address as the password',
      { password: 'nora@northlight.test' },
      { password: [expect.any(String)] },
    ],
  ])('the fields of a new studio are validated %s', (_, overrides, errors) =>
    expect(validate({ ...validFields, ...overrides }, onboardingRules)).toEqual(errors),
  )
})

test('the default preferences are within their bounds (section 9)', () => {
  expect(defaultUserPreferences).toEqual({ buildMaximumCropperSize: 200, buildImagesPerRow: 6, useDarkMode: false })
  for (const name of ['buildMaximumCropperSize', 'buildImagesPerRow'] as const) {
    const { min, max } = userPreferenceBounds[name]
    expect(min <= defaultUserPreferences[name] && defaultUserPreferences[name] <= max).toBe(true)
  }
})
