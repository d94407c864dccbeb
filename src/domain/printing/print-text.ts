import { type ImageNode, isDigital, type PackageItem, type TextNode } from '../catalogue/catalogue.ts'
import { printedText } from './printable-letters.ts'

/** A glyph of a print font: its advance, then for each of its outlines the index of its shape and its origin (x, y). */
export type Glyph = readonly number[]

/**
 * The outlines of a print font in font units, y growing downwards from the baseline. Glyphs share shapes: an accent is
 * stored once.
 */
export type GlyphTable = {
  unitsPerEm: number
  /** The maximum extent of any glyph above the baseline, below it, and beyond its own advance; all positive. */
  ascent: number
  descent: number
  overhang: number
  /** Closed outlines as SVG path data, relative to their origin. */
  shapes: readonly string[]
  glyphs: Readonly<Record<string, Glyph>>
}

/** Hundredths of an inch: the unit of text positions on a print. */
export const printUnitsPerInch = 100

/**
 * Text colours: dark on paper, light with a dark edge on an image. The design tokens of the screens have the same
 * values.
 */
export const printInk = '#1d1915'
export const printLight = '#fdfcfa'
const edgeOpacity = 0.35
/** In ems; half of it lies outside of the letter. */
const edgeWidth = 0.07

/** A text on a print: an SVG path in font units, to be scaled first and then moved, in hundredths of an inch. */
export type PlacedText = { nodeId: number; path: string; x: number; y: number; scale: number; ink: TextInk }

/** `edge` is drawn below the letter; its width is in font units. */
export type TextInk = { fill: string; edge: { colour: string; opacity: number; width: number } | null }

/** The content of a print as far as texts depend on it: the texts and the nodes with an image, by node id. */
type PrintContent = { texts: ReadonlyMap<number, string>; images: ReadonlyMap<number, unknown> }

type PrintedItem = Pick<PackageItem, 'productCode' | 'widthInches' | 'heightInches' | 'imageNodes' | 'textNodes'>

/**
 * The texts of an item as they are printed, on screen and on paper: one line each, centred in its node's box, as large
 * as the box allows without clipping. Empty for items that are not printed.
 */
export const placeTexts = (item: PrintedItem, { texts, images }: PrintContent, table: GlyphTable): PlacedText[] => {
  const { widthInches, heightInches } = item
  if (!widthInches || !heightInches || isDigital(item.productCode)) return []
  const print = { width: widthInches * printUnitsPerInch, height: heightInches * printUnitsPerInch }
  const filledNodes = item.imageNodes.filter((node) => images.has(node.id))
  return item.textNodes.flatMap((node) => {
    const line = layOutLine(printedText(texts.get(node.id) ?? ''), table)
    if (line.path === '') return []
    const isOnImage = filledNodes.some((imageNode) => isCentredOn(node, imageNode))
    return [
      { nodeId: node.id, path: line.path, ...fitLine(node, { line, table, print }), ink: inkOf(isOnImage, table) },
    ]
  })
}

/** Letters smaller than this, in points, are hard to read on paper. */
const smallestPoints = 6
const pointsPerUnit = 72 / printUnitsPerInch

/** Whether the letters of a text are too small to read because the text is long, not because its box is low. */
export const isTooLongToRead = (item: PrintedItem, node: TextNode, text: string, table: GlyphTable): boolean => {
  const pointsOf = (value: string): number => {
    const content = { texts: new Map([[node.id, value]]), images: new Map() }
    const [placed] = placeTexts({ ...item, textNodes: [node] }, content, table)
    return (placed?.scale ?? 1) * table.unitsPerEm * pointsPerUnit
  }
  return pointsOf(text) < smallestPoints && pointsOf('i') >= smallestPoints
}

type TextLine = { path: string; width: number }

/** Sets the letters of a line from x = 0 on the baseline. Letters the font lacks are skipped. */
const layOutLine = (text: string, { glyphs, shapes }: GlyphTable): TextLine => {
  let width = 0
  let path = ''
  for (const letter of text) {
    const [advance = 0, ...outlines] = glyphs[letter] ?? []
    for (let index = 0; index < outlines.length; index += 3) {
      const [shape = 0, x = 0, y = 0] = outlines.slice(index, index + 3)
      path += `M${width + x} ${y}${shapes[shape]}z`
    }
    width += advance
  }
  return { path, width }
}

type LineFit = { line: TextLine; table: GlyphTable; print: { width: number; height: number } }

/**
 * Scales a line to its box by the font's ascent and descent, so that lines in boxes of equal height look alike whatever
 * their letters.
 */
const fitLine = ({ positionCoords: box }: TextNode, { line, table, print }: LineFit) => {
  const { ascent, descent, overhang, unitsPerEm } = table
  const edge = edgeWidth * unitsPerEm
  const width = (box.width / 100) * print.width
  const height = (box.height / 100) * print.height
  const scale = Math.min(width / (line.width + 2 * overhang + edge), height / (ascent + descent + edge))
  return {
    scale,
    x: ((box.x + box.width / 2) / 100) * print.width - (line.width / 2) * scale,
    y: ((box.y + box.height / 2) / 100) * print.height + ((ascent - descent) / 2) * scale,
  }
}

const isCentredOn = ({ positionCoords: text }: TextNode, { positionCoords: box }: ImageNode): boolean => {
  const x = text.x + text.width / 2
  const y = text.y + text.height / 2
  return x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height
}

const inkOf = (isOnImage: boolean, { unitsPerEm }: GlyphTable): TextInk =>
  isOnImage
    ? { fill: printLight, edge: { colour: printInk, opacity: edgeOpacity, width: edgeWidth * unitsPerEm } }
    : { fill: printInk, edge: null }
