/** A colour as `#rrggbb`. */
export type Hex = string

/** One colour per theme. */
export type ThemeColors = { light: Hex; dark: Hex }

type Rgb = readonly [red: number, green: number, blue: number]

/**
 * The backgrounds an accent is used on, per theme: the lightest and the darkest of tokens.css (a test keeps both in
 * sync).
 */
export const accentBackgrounds = {
  light: ['#ffffff', '#fffefb', '#faf7f2', '#f2ede4'],
  dark: ['#2d2824', '#231f1c', '#191614', '#110f0d'],
} as const

/** The minimum contrast for text in WCAG (1.4.3, level AA). */
export const readableContrast = 4.5

const inkChoices: readonly Hex[] = ['#ffffff', '#12100d']
const steps = 100

const parse = (hex: string): Rgb | undefined => {
  const short = /^#?([\da-f])([\da-f])([\da-f])$/i.exec(hex.trim())
  const digits = short ? short.slice(1).map((digit) => digit + digit) : /^#?(..)(..)(..)$/.exec(hex.trim())?.slice(1)
  const [red, green, blue] = (digits ?? []).map((pair) =>
    /^[\da-f]{2}$/i.test(pair) ? Number.parseInt(pair, 16) : NaN,
  )
  if (red === undefined || green === undefined || blue === undefined) return undefined
  return [red, green, blue].some(Number.isNaN) ? undefined : [red, green, blue]
}

const format = (rgb: Rgb): Hex => `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`

const linear = (part: number) => (part <= 10.31475 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4)

const luminance = ([red, green, blue]: Rgb) => 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)

/** The WCAG contrast of two colours, 1 to 21; `NaN` if one is not a colour. */
export const contrast = (first: Hex, second: Hex): number => {
  const [firstRgb, secondRgb] = [parse(first), parse(second)]
  if (!firstRgb || !secondRgb) return Number.NaN
  const [darker = 0, lighter = 0] = [luminance(firstRgb), luminance(secondRgb)].sort((left, right) => left - right)
  return (lighter + 0.05) / (darker + 0.05)
}

const mixTowards = (from: Rgb, end: number, share: number): Hex =>
  format([from[0] + (end - from[0]) * share, from[1] + (end - from[1]) * share, from[2] + (end - from[2]) * share])

const bestInk = (accent: Hex): Hex =>
  inkChoices.reduce((best, ink) => (contrast(accent, ink) > contrast(accent, best) ? ink : best))

// The smallest change towards black (in dark mode, white) that is readable on every background and under its own text
// colour.
const readableOn = (colour: Rgb, backgrounds: readonly Hex[], end: number): Hex => {
  for (let step = 0; step < steps; step++) {
    const candidate = mixTowards(colour, end, step / steps)
    const surfaces = [...backgrounds, bestInk(candidate)]
    if (surfaces.every((surface) => contrast(candidate, surface) >= readableContrast)) return candidate
  }
  return mixTowards(colour, end, 1)
}

/**
 * Makes a studio's brand colour readable: for each theme, the nearest shade with a contrast of at least 4.5 to all our
 * backgrounds, and a text colour with the same contrast to it. `undefined` if the text is not a colour: then our own
 * accent is used.
 */
export const readableAccent = (hex: string): { accent: ThemeColors; ink: ThemeColors } | undefined => {
  const colour = parse(hex)
  if (!colour) return undefined
  const accent = {
    light: readableOn(colour, accentBackgrounds.light, 0),
    dark: readableOn(colour, accentBackgrounds.dark, 255),
  }
  return { accent, ink: { light: bestInk(accent.light), dark: bestInk(accent.dark) } }
}

/** The custom properties of a studio's accent, for the root's style attribute; empty if the colour is invalid. */
export const accentProperties = (hex: string | null | undefined): Record<`--studio-${string}`, Hex> => {
  const readable = readableAccent(hex ?? '')
  if (!readable) return {}
  return {
    '--studio-accent-light': readable.accent.light,
    '--studio-accent-dark': readable.accent.dark,
    '--studio-accent-ink-light': readable.ink.light,
    '--studio-accent-ink-dark': readable.ink.dark,
  }
}
