import { letteringPath } from '#server/images/engine/lettering.ts'
import { group, line, oval, shade, shape, tint } from './ink.ts'

const waves = (accent: string): string =>
  oval({ x: 50, y: 40, rx: 17 }, tint(accent, 0.45)) +
  shape('M4 58C20 46 34 46 50 58S80 70 96 58C94 82 74 98 50 98S6 82 4 58Z', accent) +
  line('M10 74C24 64 36 64 50 74S76 84 90 74', tint(accent, 0.7), 4)

const peaks = (accent: string): string =>
  oval({ x: 68, y: 30, rx: 11 }, tint(accent, 0.45)) +
  shape('M6 84L40 22L74 84Z', accent) +
  shape('M44 84L68 46L94 84Z', shade(accent, 0.25)) +
  shape('M40 22L52 44L44 40L38 48L30 41Z', '#fff', { opacity: 0.9 })

const aperture = (accent: string): string =>
  oval({ x: 50, y: 50, rx: 46 }, accent) +
  [0, 60, 120, 180, 240, 300]
    .map((turn) => group(`rotate(${turn} 50 50)`, line('M50 26L76 8', '#fff', 3.5), line('M50 26L71 38', '#fff', 3.5)))
    .join('')

const markOf = (name: string): ((accent: string) => string) => {
  if (/river|lake|sea|water|harbou?r/i.test(name)) return waves
  return /summit|peak|mountain|hill/i.test(name) ? peaks : aperture
}

const words = (
  text: string,
  { x, y, height, pen, ink }: { x: number; y: number; height: number; pen: number; ink: string },
) => {
  const { path, width } = letteringPath(text)
  const scale = height / 100
  return {
    drawn: group(`translate(${x} ${y}) scale(${scale})`, line(path, ink, pen / scale)),
    right: x + width * scale,
  }
}

/** A drawn logo and its size in pixels. */
export type LogoDrawing = { svg: string; width: number; height: number }

const height = 104

/**
 * A studio's logo as SVG: a mark in the accent colour and the name in two lines. Drawn without fonts; `ink` is the
 * lettering's colour, for light or dark pages.
 */
export const drawStudioLogo = (name: string, accent: string, ink = '#2a2623'): LogoDrawing => {
  const [first = name, ...rest] = name.split(' ')
  const large = words(first, { x: 124, y: rest.length > 0 ? 20 : 33, height: 34, pen: 4.6, ink })
  const small = words(rest.join(' '), { x: 125, y: 71, height: 14, pen: 2.4, ink })
  const width = Math.ceil(Math.max(large.right, small.right) + 8)
  const drawn = `${group('translate(2 2)', markOf(name)(accent))}${large.drawn}${rest.length > 0 ? small.drawn : ''}`
  const size = `viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`
  return { svg: `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${drawn}</svg>`, width, height }
}
