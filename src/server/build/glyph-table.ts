import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import opentype from 'opentype.js'
import type { Glyph, GlyphTable } from '#domain/printing/print-text.ts'
import { canPrintLetter } from '#domain/printing/printable-letters.ts'
import { root } from './fingerprint.ts'

const require = createRequire(import.meta.url)
const family = dirname(require.resolve('@fontsource/source-serif-4/package.json'))
const weight = 600

/** The font is split into files by groups of languages. */
const fontParts = ['latin', 'latin-ext', 'vietnamese']

/** The notice that the licence requires in every copy. */
const notice =
  'Outlines of Source Serif 4 SemiBold, © 2014 - 2021 Adobe Systems Incorporated (http://www.adobe.com/), with Reserved Font Name “Source”. SIL Open Font License 1.1, https://openfontlicense.org'

const readFont = (part: string) => {
  const { buffer, byteOffset, byteLength } = readFileSync(
    `${family}/files/source-serif-4-${part}-${weight}-normal.woff`,
  )
  return opentype.parse(buffer.slice(byteOffset, byteOffset + byteLength))
}

type Command = opentype.PathCommand

/** A point in integer units, y downwards. `0 - y` avoids a negative zero, which JSON would lose. */
const toPoint = ({ x, y }: { x: number; y: number }) => ({ x: Math.round(x), y: 0 - Math.round(y) })

/** Splits path commands into closed outlines; each starts at its first point. */
const splitOutlines = (commands: readonly Command[]): Command[][] => {
  const outlines: Command[][] = []
  for (const command of commands) {
    if (command.type === 'M') outlines.push([command])
    else if (command.type !== 'Z') outlines.at(-1)?.push(command)
  }
  return outlines
}

const getPoints = (command: Command): { x: number; y: number }[] => {
  if (command.type === 'Z') return []
  const end = toPoint(command)
  if (command.type === 'Q') return [toPoint({ x: command.x1, y: command.y1 }), end]
  if (command.type === 'C')
    return [toPoint({ x: command.x1, y: command.y1 }), toPoint({ x: command.x2, y: command.y2 }), end]
  return [end]
}

/** Path data in its shortest form: no repeated command letters, no space before a minus. */
const toPathData = (steps: readonly { letter: string; numbers: number[] }[]): string => {
  let path = ''
  let previousLetter = ''
  for (const { letter, numbers } of steps) {
    if (letter !== previousLetter) path += letter
    previousLetter = letter
    for (const number of numbers) path += /\d$/.test(path) && number >= 0 ? ` ${number}` : number
  }
  return path
}

/** The path data of an outline, relative to its start point. The closing line is implicit. */
const toShape = ([firstCommand, ...otherCommands]: readonly Command[]): string => {
  let [pen] = firstCommand ? getPoints(firstCommand) : []
  const startPoint = pen
  const steps = otherCommands.flatMap((command, index) => {
    const points = getPoints(command)
    const end = points.at(-1)
    if (!pen || !startPoint || !end) return []
    const [dx, dy] = [end.x - pen.x, end.y - pen.y]
    const numbers = points.flatMap(({ x, y }) => [x - (pen?.x ?? 0), y - (pen?.y ?? 0)])
    pen = end
    if (command.type !== 'L') return [{ letter: command.type.toLowerCase(), numbers }]
    const isClosingLine = index === otherCommands.length - 1 && end.x === startPoint.x && end.y === startPoint.y
    if (isClosingLine || (dx === 0 && dy === 0)) return []
    if (dy === 0) return [{ letter: 'h', numbers: [dx] }]
    return [dx === 0 ? { letter: 'v', numbers: [dy] } : { letter: 'l', numbers }]
  })
  return toPathData(steps)
}

const maxCharCode = 0xffff

const listLetters = (): string[] =>
  Array.from({ length: maxCharCode }, (_, code) => String.fromCharCode(code)).filter(canPrintLetter)

/** The glyph table of the print font, with the notice of its licence. */
export const makeGlyphTable = (): GlyphTable & { notice: string } => {
  const fonts = fontParts.map(readFont)
  const [latinFont] = fonts
  if (!latinFont) throw new Error('the print font has no parts')
  const indexByShape = new Map<string, number>()
  const glyphs: Record<string, Glyph> = {}
  const bounds = { ascent: 0, descent: 0, overhang: 0 }
  for (const letter of listLetters()) {
    const font = fonts.find((part) => part.charToGlyphIndex(letter) > 0)
    if (!font) throw new Error(`the print font has no “${letter}”`)
    const { path, advanceWidth = 0 } = font.charToGlyph(letter)
    const outlines = splitOutlines(path.commands)
    const positions = outlines.flatMap((outline) => {
      const shape = toShape(outline)
      if (!indexByShape.has(shape)) indexByShape.set(shape, indexByShape.size)
      const [startPoint] = outline[0] ? getPoints(outline[0]) : []
      return startPoint ? [indexByShape.get(shape) ?? 0, startPoint.x, startPoint.y] : []
    })
    glyphs[letter] = [Math.round(advanceWidth), ...positions]
    // Control points are on or outside the curve, so they bound every letter.
    for (const { x, y } of outlines.flat().flatMap(getPoints)) {
      bounds.ascent = Math.max(bounds.ascent, -y)
      bounds.descent = Math.max(bounds.descent, y)
      bounds.overhang = Math.max(bounds.overhang, -x, x - Math.round(advanceWidth))
    }
  }
  return { notice, unitsPerEm: latinFont.unitsPerEm, ...bounds, shapes: [...indexByShape.keys()], glyphs }
}

// `npm run glyphs`: regenerates the glyph table of the print font, after the font or the set of letters changed.
if (import.meta.main)
  writeFileSync(`${root}src/domain/printing/print-text-font.json`, `${JSON.stringify(makeGlyphTable())}\n`)
