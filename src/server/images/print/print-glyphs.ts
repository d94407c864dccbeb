import { readFileSync } from 'node:fs'
import type { GlyphTable } from '#domain/printing/print-text.ts'

let read: GlyphTable | undefined

/** The outlines texts are printed from: the very file that phones fetch. Read once. */
export const printGlyphs = (): GlyphTable => {
  read ??= JSON.parse(
    readFileSync(new URL('../../../domain/printing/print-text-font.json', import.meta.url), 'utf8'),
  ) as GlyphTable // our own file, held against its maker by a test
  return read
}
