import { readFileSync } from 'node:fs'
import type { PackageItem, PositionCoords } from '#domain/catalogue/catalogue.ts'
import { type GlyphTable, placeTexts } from '#domain/printing/print-text.ts'
import { openPixels } from '../engine/image-engine.ts'
import { drawPrintImage, type PrintOriginal } from './draw-print-image.ts'
import { drawPrintText } from './draw-print-text.ts'
import { type Area, roundToPixels } from './print-area.ts'
import { type Layer, onPaper, paperColour } from './print-paper.ts'

/** Pixels per inch of a file for the lab. */
export const printDpi = 300

/** One item of a line, with the content of its nodes by node id. Static nodes hold the studio's artwork. */
export type PrintJob = {
  item: PackageItem
  images: ReadonlyMap<number, PrintOriginal>
  texts: ReadonlyMap<number, string>
  /** The chosen background behind the cut-outs. */
  background?: PrintOriginal
}

/** A print for the lab: JPEG in sRGB, 300 pixels per inch. */
export type PrintFile = { jpeg: Uint8Array; width: number; height: number }

/**
 * Prints one item exactly as the screen draws it: each crop by the same rule, each text from the same outlines. Throws
 * for an item without a printed size (`printsOf` leaves it out) and for an unreadable original (uploads reject it).
 */
export const renderPrint = async (job: PrintJob, glyphs: GlyphTable): Promise<PrintFile> => {
  const print = sizeOf(job.item)
  const layers: Layer[] = []
  for (const node of job.item.imageNodes) {
    const area = areaOf(node.positionCoords, print)
    const image = job.images.get(node.id)
    const originals = node.static ? [image] : [image && job.background, image]
    for (const original of originals) {
      if (!original) continue
      // A cut-out without a background is printed on white paper; artwork shows what is below its transparent parts.
      const showsLowerLayers = node.static || (original === image && job.background !== undefined)
      const layer = await drawPrintImage(original, area, { print, backdrop: showsLowerLayers ? null : paperColour })
      if (layer) layers.push(layer)
    }
  }
  for (const text of placeTexts(job.item, job, glyphs)) {
    const node = job.item.textNodes.find(({ id }) => id === text.nodeId)
    const layer = node && drawPrintText(text, { node: areaOf(node.positionCoords, print), print, dpi: printDpi })
    if (layer) layers.push(layer)
  }
  const { width, height } = print
  const jpeg = await openPixels(await onPaper(layers, print))
    .withIccProfile('srgb')
    .withMetadata({ density: printDpi })
    .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
    .toBuffer()
  return { jpeg, width, height }
}

const sizeOf = ({ name, widthInches, heightInches }: PackageItem): Area => {
  if (!widthInches || !heightInches) throw new Error(`${name} is not printed`)
  return roundToPixels({ left: 0, top: 0, width: widthInches * printDpi, height: heightInches * printDpi })
}

const areaOf = ({ x, y, width, height }: PositionCoords, print: Area): Area => ({
  left: (x / 100) * print.width,
  top: (y / 100) * print.height,
  width: (width / 100) * print.width,
  height: (height / 100) * print.height,
})

let glyphs: GlyphTable | undefined

/** The glyph outlines for printed text, from the file that the client also loads. It is read once. */
export const printGlyphs = (): GlyphTable => {
  glyphs ??= JSON.parse(
    readFileSync(new URL('../../../domain/printing/print-text-font.json', import.meta.url), 'utf8'),
  ) as GlyphTable // a test compares this file with the output of its generator
  return glyphs
}

/** Prints one item, in the calling thread or another. */
export type PrintItem = (job: PrintJob) => Promise<PrintFile>

/** Prints one item in the calling thread. */
export const printItem: PrintItem = (job) => renderPrint(job, printGlyphs())
