// @vitest-environment node
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { accentBackgrounds, accentProperties, contrast, readableAccent, readableContrast } from '#ui/theme/accent.ts'

const tokens = readFileSync(new URL('../../../../src/client/ui/tokens.css', import.meta.url), 'utf8')

const themed = (name: string) => {
  const [, light, dark] = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(tokens) ?? []
  if (!light || !dark) throw new Error(`tokens.css has no --${name}`)
  return { light, dark }
}

const studioColour = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, '0')}`)

describe('a studio accent', () => {
  test('is readable on every background, and under its own text colour, in both themes', () => {
    fc.assert(
      fc.property(studioColour, (hex) => {
        const readable = readableAccent(hex)
        for (const theme of ['light', 'dark'] as const) {
          const accent = readable?.accent[theme] ?? ''
          for (const ground of [...accentBackgrounds[theme], readable?.ink[theme] ?? ''])
            expect(contrast(accent, ground)).toBeGreaterThanOrEqual(readableContrast)
        }
      }),
    )
  })

  test('is unchanged if it is readable already', () => {
    expect(readableAccent('#1d4e79')?.accent.light).toBe('#1d4e79')
    expect(readableAccent('#95c2ea')?.accent.dark).toBe('#95c2ea')
  })

  test.each(['', 'red', '#12', '#12345', '#gggggg', 'rgb(1,2,3)'])(
    'falls back to ours if the studio has no colour (%j)',
    (text) => {
      expect(readableAccent(text)).toBeUndefined()
      expect(accentProperties(text)).toEqual({})
    },
  )

  test('accepts three digits and a missing hash', () => {
    expect(readableAccent('#00f')).toEqual(readableAccent('0000ff'))
  })
})

test('contrast is computed as in WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

describe('the tokens', () => {
  test('have the backgrounds the accent is checked against', () => {
    const grounds = ['raised', 'surface', 'paper', 'sunken'].map(themed)
    expect(accentBackgrounds.light).toEqual(grounds.map(({ light }) => light))
    expect(accentBackgrounds.dark).toEqual(grounds.map(({ dark }) => dark))
  })

  const pairs = ['ink', 'ink-soft', 'danger', 'success', 'attention'].flatMap((ink) =>
    ['raised', 'surface', 'paper', 'sunken'].map((ground) => [ink, ground] as const),
  )
  const washes = [
    ['danger', 'danger-wash'],
    ['success', 'success-wash'],
    ['attention', 'attention-wash'],
    ['ink', 'attention-wash'],
    ['ink-soft', 'attention-wash'],
    ['ink', 'info-wash'],
    ['danger-ink', 'danger'],
  ] as const
  test.each([...pairs, ...washes])('have %s readable on %s', (ink, ground) => {
    for (const theme of ['light', 'dark'] as const)
      expect(contrast(themed(ink)[theme], themed(ground)[theme])).toBeGreaterThanOrEqual(readableContrast)
  })

  test.each(['raised', 'surface', 'paper', 'sunken'])('give a control a visible border on %s', (ground) => {
    for (const theme of ['light', 'dark'] as const)
      expect(contrast(themed('line-strong')[theme], themed(ground)[theme])).toBeGreaterThanOrEqual(3)
  })
})
