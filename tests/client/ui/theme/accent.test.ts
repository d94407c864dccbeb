// @vitest-environment node
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { accentBackgrounds, accentProperties, contrast, readableAccent, readableContrast } from '#ui/theme/accent.ts'

const tokens = readFileSync(new URL('../../../../src/client/ui/tokens.css', import.meta.url), 'utf8')

const themeColours = (name: string) => {
  const [, light, dark] = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(tokens) ?? []
  if (!light || !dark) throw new Error(`tokens.css has no --${name}`)
  return { light, dark }
}

const anyColour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

describe('the accent colour of a studio', () => {
  test('an accent is readable on every background, and its text is readable on it, in both themes', () => {
    fc.assert(
      fc.property(anyColour, (hex) => {
        const result = readableAccent(hex)
        for (const theme of ['light', 'dark'] as const) {
          const accent = result?.accent[theme] ?? ''
          for (const background of [...accentBackgrounds[theme], result?.ink[theme] ?? ''])
            expect(contrast(accent, background)).toBeGreaterThanOrEqual(readableContrast)
        }
      }),
    )
  })

  test('an accent that is already readable is not changed', () => {
    expect(readableAccent('#1d4e79')?.accent.light).toBe('#1d4e79')
    expect(readableAccent('#95c2ea')?.accent.dark).toBe('#95c2ea')
  })

  test.each(['', 'red', '#12', '#12345', '#gggggg', 'rgb(1,2,3)'])(
    'the default accent is used if the studio’s colour is not a hex colour (%j)',
    (text) => {
      expect(readableAccent(text)).toBeUndefined()
      expect(accentProperties(text)).toEqual({})
    },
  )

  test('a colour can have three digits and no hash', () => {
    expect(readableAccent('#00f')).toEqual(readableAccent('0000ff'))
  })
})

test('contrast is computed as defined in WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

describe('the colours in tokens.css', () => {
  test('the backgrounds in tokens.css are the backgrounds that accents are checked against', () => {
    const backgrounds = ['raised', 'surface', 'paper', 'sunken'].map(themeColours)
    expect(accentBackgrounds.light).toEqual(backgrounds.map(({ light }) => light))
    expect(accentBackgrounds.dark).toEqual(backgrounds.map(({ dark }) => dark))
  })

  const textOnBackgrounds = ['ink', 'ink-soft', 'danger', 'success', 'attention'].flatMap((ink) =>
    ['raised', 'surface', 'paper', 'sunken'].map((background) => [ink, background] as const),
  )
  const textOnTintedBackgrounds = [
    ['danger', 'danger-wash'],
    ['success', 'success-wash'],
    ['attention', 'attention-wash'],
    ['ink', 'attention-wash'],
    ['ink-soft', 'attention-wash'],
    ['ink', 'info-wash'],
    ['danger-ink', 'danger'],
  ] as const
  test.each([...textOnBackgrounds, ...textOnTintedBackgrounds])(
    'the text colour %s is readable on the background %s',
    (ink, background) => {
      for (const theme of ['light', 'dark'] as const)
        expect(contrast(themeColours(ink)[theme], themeColours(background)[theme])).toBeGreaterThanOrEqual(
          readableContrast,
        )
    },
  )

  test.each(['raised', 'surface', 'paper', 'sunken'])(
    'the border of a control is visible on the background %s',
    (background) => {
      for (const theme of ['light', 'dark'] as const)
        expect(contrast(themeColours('line-strong')[theme], themeColours(background)[theme])).toBeGreaterThanOrEqual(3)
    },
  )
})
