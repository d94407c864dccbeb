import { writeFileSync } from 'node:fs'
import { root } from './folders.ts'
import { makeGlyphTable } from './glyph-table.ts'

/** `npm run glyphs`: writes the glyph table of the print font anew, after another font or more letters were chosen. */
writeFileSync(`${root}src/domain/printing/print-text-font.json`, `${JSON.stringify(makeGlyphTable())}\n`)
