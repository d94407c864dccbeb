import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isSlug, reservedSlugs } from '#domain/studio/studio-slug.ts'
import { accessCodeFrom, isAccessCode, normaliseAccessCode } from '#domain/subjects/subject-draft.ts'

describe('access codes', () => {
  test('generated access codes have eight characters without 0 O 1 I L', () => {
    fc.assert(
      fc.property(fc.uint32Array({ minLength: 8, maxLength: 8 }), (random) => {
        const code = accessCodeFrom(random)
        expect(code).toMatch(/^[A-Z2-9]{8}$/)
        expect(code).not.toMatch(/[0O1IL]/)
        expect(isAccessCode(code)).toBe(true)
        expect(normaliseAccessCode(code)).toBe(code)
      }),
    )
  })

  test('every character of the alphabet occurs in access codes', () => {
    const firstCharacters = Array.from({ length: 31 }, (_, number) => accessCodeFrom([number, 0, 0, 0, 0, 0, 0, 0])[0])
    expect(new Set(firstCharacters).size).toBe(31)
  })

  test('access codes from too few random numbers throw', () =>
    expect(() => accessCodeFrom([1, 2, 3])).toThrow(new RangeError('An access code takes 8 random numbers')))

  test.each([
    [' spring ', 'SPRING'],
    ['ADAL-VL', 'ADALVL'],
    ['ad al\tvl', 'ADALVL'],
    ['ada–lvl', 'ADALVL'],
    ['', ''],
  ])('the typed code %j is normalised to %j', (typed, code) => expect(normaliseAccessCode(typed)).toBe(code))

  test.each([
    ['ABC', false],
    ['ABC1', true],
    ['ABCDEF123456', true],
    ['ABCDEF1234567', false],
    ['ABC!', false],
    ['!ABC1', false],
    ['ABC1!', false],
    ['spring', false],
  ])('staff may set the code %j: %s', (code, expected) => expect(isAccessCode(code)).toBe(expected))
})

describe('slugs', () => {
  test.each([
    ['riverside', true],
    ['summit-sports-2', true],
    ['a', true],
    ['42nd-street', true],
    ['42', false],
    ['-river', false],
    ['river-', false],
    ['River', false],
    ['river side', false],
    ['app.html', false],
    ['ü', false],
    ['', false],
    ['a'.repeat(63), true],
    ['a'.repeat(64), false],
  ])('%j is a valid slug: %s', (text, expected) => expect(isSlug(text)).toBe(expected))

  test('first path segments of the product’s own routes are no valid slugs', () => {
    for (const slug of reservedSlugs) expect(isSlug(slug)).toBe(false)
    const routeSegments =
      'api admin account login logout setup forgot-password reset-password maintenance assets photos builds'
    expect(reservedSlugs).toEqual(expect.arrayContaining(routeSegments.split(' ')))
  })
})
