import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GlyphTable } from '#domain/printing/print-text.ts'

/** Where the print font's outlines lie. */
export const glyphTableFile = join(import.meta.dirname, '../../../src/domain/printing/print-text-font.json')

/** The outlines that screen and print draw texts from. */
export const glyphTable: GlyphTable = JSON.parse(readFileSync(glyphTableFile, 'utf8'))
