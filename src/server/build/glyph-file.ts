import { writeFileSync } from 'node:fs'
import { root } from './folders.ts'
import { makeGlyphTable } from './glyph-table.ts'

/** `npm run glyphs`: regenerates the glyph table of the print font, after the font or the set of letters changed. */
writeFileSync(`${root}src/domain/printing/print-text-font.json`, `${JSON.stringify(makeGlyphTable())}\n`)
