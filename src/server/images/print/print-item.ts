import { readFileSync } from 'node:fs'
import type { GlyphTable } from '#domain/printing/print-text.ts'
import { type PrintFile, type PrintJob, renderPrint } from './print-file.ts'

let glyphs: GlyphTable | undefined

/** The glyph outlines for printed text, from the file that the client also loads. It is read once. */
export const printGlyphs = (): GlyphTable => {
  glyphs ??= JSON.parse(
    readFileSync(new URL('../../../domain/printing/print-text-font.json', import.meta.url), 'utf8'),
  ) as GlyphTable // a test compares this file with the output of its generator
  return glyphs
}

/** Prints one item, in the calling thread or another. */
export type RenderPrint = (job: PrintJob) => Promise<PrintFile>

/** Prints one item in the calling thread. */
export const printItem: RenderPrint = (job) => renderPrint(job, printGlyphs())
