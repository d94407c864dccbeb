import { type PlacedText, printUnitsPerInch } from '#domain/printing/print-text.ts'
import { type Area, expandToPixels, intersectionOf } from './print-area.ts'
import type { Layer } from './print-paper.ts'

const attributesOf = ({ x, y, scale, ink: { fill, edge } }: PlacedText): string => {
  const stroke = edge
    ? `stroke="${edge.colour}" stroke-opacity="${edge.opacity}" stroke-width="${edge.width}" stroke-linejoin="round" paint-order="stroke"`
    : ''
  return `transform="translate(${x} ${y}) scale(${scale})" fill="${fill}" ${stroke}`
}

/** Draws a text's outlines within its node's area of the print. The fonts of the machine are not used. */
export const drawPrintText = (
  text: PlacedText,
  { node, print, dpi }: { node: Area; print: Area; dpi: number },
): Layer | null => {
  const visible = intersectionOf(expandToPixels(node), print)
  if (!visible) return null
  const { left, top, width, height } = visible
  const units = [left, top, width, height].map((pixels) => (pixels * printUnitsPerInch) / dpi)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${units.join(' ')}">
    <path d="${text.path}" ${attributesOf(text)}/></svg>`
  return { area: visible, content: Buffer.from(svg) }
}
