import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { canPrintLetter } from '#domain/printing/printable-letters.ts'
import { makeGlyphTable } from '#server/build/glyph-table.ts'
import { glyphTable, glyphTableFile } from '#support/printing/glyph-table.ts'

const maxKb = 30

describe('the glyph table of the print font', () => {
  test('the committed table equals the one generated from the installed font', () =>
    expect(glyphTable).toEqual(makeGlyphTable()))

  test('the table contains exactly the letters that the rules allow', () => {
    expect(Object.keys(glyphTable.glyphs).filter((letter) => !canPrintLetter(letter))).toEqual([])
    const printableCodes = Array.from({ length: 0x11_00_00 }, (_, code) => code).filter(
      (code) => (code < 0xd8_00 || code > 0xdf_ff) && canPrintLetter(String.fromCodePoint(code)),
    )
    expect(printableCodes).toHaveLength(Object.keys(glyphTable.glyphs).length)
  })

  test('every letter except the space has outlines', () => {
    const withoutOutlines = Object.entries(glyphTable.glyphs).filter(([, [, ...outlines]]) => outlines.length === 0)
    expect(withoutOutlines.map(([letter]) => letter)).toEqual([' '])
    const withMissingShapes = Object.values(glyphTable.glyphs).filter(([, ...outlines]) =>
      outlines.some((shape, n) => n % 3 === 0 && glyphTable.shapes[shape] === undefined),
    )
    expect(withMissingShapes).toEqual([])
  })

  test('the table is small enough for a phone', () =>
    expect(gzipSync(readFileSync(glyphTableFile), { level: 9 }).length / 1024).toBeLessThan(maxKb))
})
