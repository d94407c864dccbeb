/** Further attributes of an element, as SVG spells them. */
type More = Readonly<Record<string, string | number>>

// Opacity of the paint, not of the element: for the latter the renderer lays a whole sheet of its own under each stroke.
const attributes = ({ opacity, ...more }: More): string =>
  Object.entries(opacity === undefined ? more : { ...more, 'fill-opacity': opacity, 'stroke-opacity': opacity })
    .map(([name, value]) => ` ${name}="${typeof value === 'number' ? round(value) : value}"`)
    .join('')

/** Two decimals are finer than any pixel and keep the drawing small. */
export const round = (value: number): number => Math.round(value * 100) / 100

/** A filled shape. */
export const shape = (d: string, fill: string, more: More = {}): string =>
  `<path d="${d}" fill="${fill}"${attributes(more)}/>`

/** A line drawn with a round pen. */
export const line = (d: string, colour: string, width: number, more: More = {}): string =>
  `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${round(width)}" stroke-linecap="round" stroke-linejoin="round"${attributes(more)}/>`

/** A line that fades at its edges, as light on hair does; layers cost a tenth of a blur. */
export const sheen = (d: string, colour: string): string =>
  [26, 19, 13, 7].map((width) => line(d, colour, width, { opacity: 0.11 })).join('')

/** An ellipse by its centre and radii. */
export const oval = (at: { x: number; y: number; rx: number; ry?: number }, fill: string, more: More = {}): string =>
  `<ellipse cx="${round(at.x)}" cy="${round(at.y)}" rx="${round(at.rx)}" ry="${round(at.ry ?? at.rx)}" fill="${fill}"${attributes(more)}/>`

/** Parts moved, turned or scaled together. */
export const group = (transform: string, ...parts: string[]): string =>
  `<g transform="${transform}">${parts.join('')}</g>`

/** Parts seen only inside a shape. */
export const inside = (id: string, d: string, ...parts: string[]): string =>
  `<clipPath id="${id}"><path d="${d}"/></clipPath><g clip-path="url(#${id})">${parts.join('')}</g>`

/** A point of a gradient: where (0–1), what colour, how solid. */
export type Stop = readonly [at: number, colour: string, opacity?: number]

const stops = (list: readonly Stop[]): string =>
  list
    .map(([at, colour, opacity = 1]) => `<stop offset="${at}" stop-color="${colour}" stop-opacity="${opacity}"/>`)
    .join('')

/** A gradient along a line in the drawing's own coordinates. */
export const fade = (
  id: string,
  [x1, y1, x2, y2]: readonly [number, number, number, number],
  ...list: Stop[]
): string =>
  `<linearGradient id="${id}" gradientUnits="userSpaceOnUse" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}">${stops(list)}</linearGradient>`

/** A round gradient in the drawing's own coordinates. */
export const glow = (id: string, { x, y, r }: { x: number; y: number; r: number }, ...list: Stop[]): string =>
  `<radialGradient id="${id}" gradientUnits="userSpaceOnUse" cx="${x}" cy="${y}" r="${r}">${stops(list)}</radialGradient>`

/** A round gradient that fits whatever it fills. */
export const softSpot = (id: string, ...list: Stop[]): string =>
  `<radialGradient id="${id}">${stops(list)}</radialGradient>`

const channels = (colour: string): number[] => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))

/** A colour between two (`#rrggbb`), `share` of the way to the second. */
const mix = (one: string, other: string, share: number): string => {
  const to = channels(other)
  const mixed = channels(one).map((value, n) => Math.round(value + ((to[n] ?? value) - value) * share))
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

/** The colour in shade; a little blue keeps shadows alive. */
export const shade = (colour: string, share = 0.2): string => mix(colour, '#1d1430', share)

/** The colour in light. */
export const tint = (colour: string, share = 0.2): string => mix(colour, '#fff6e6', share)
