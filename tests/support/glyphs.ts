import { readFileSync } from 'node:fs'
import type { GlyphTable } from '../../src/domain/print-text.ts'

/** Where the print font's outlines lie. */
export const glyphFile = new URL('../../src/domain/print-text-font.json', import.meta.url)

/** The outlines that screen and print draw texts from. */
export const glyphs: GlyphTable = JSON.parse(readFileSync(glyphFile, 'utf8'))
