import { readFileSync } from 'node:fs'
import type { GlyphTable } from '#domain/printing/print-text.ts'

let read: GlyphTable | undefined

/** The glyph outlines for printed text, from the file that phones load, too. Read once. */
export const printGlyphs = (): GlyphTable => {
  read ??= JSON.parse(
    readFileSync(new URL('../../../domain/printing/print-text-font.json', import.meta.url), 'utf8'),
  ) as GlyphTable // our own file, compared with its generator by a test
  return read
}
