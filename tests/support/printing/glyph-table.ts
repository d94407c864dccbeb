import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GlyphTable } from '#domain/printing/print-text.ts'

/** File with the print font's outlines. */
export const glyphTableFile = join(import.meta.dirname, '../../../src/domain/printing/print-text-font.json')

/** The outlines that the screen and the print draw text with. */
export const glyphTable: GlyphTable = JSON.parse(readFileSync(glyphTableFile, 'utf8'))
