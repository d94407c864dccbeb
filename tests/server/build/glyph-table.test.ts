import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { canPrintLetter } from '#domain/printing/printable-letters.ts'
import { makeGlyphTable } from '#server/build/glyph-table.ts'
import { glyphTable, glyphTableFile } from '#support/printing/glyph-table.ts'

const mostKb = 30

describe('the glyph table of the print font', () => {
  test('is what its script makes of the installed font', () => expect(glyphTable).toEqual(makeGlyphTable()))

  test('has exactly the letters that the rules allow', () => {
    expect(Object.keys(glyphTable.glyphs).filter((letter) => !canPrintLetter(letter))).toEqual([])
    const drawn = Array.from({ length: 0x11_00_00 }, (_, code) => code).filter(
      (code) => (code < 0xd8_00 || code > 0xdf_ff) && canPrintLetter(String.fromCodePoint(code)),
    )
    expect(drawn).toHaveLength(Object.keys(glyphTable.glyphs).length)
  })

  test('draws every letter but the space, each with outlines it has', () => {
    const bare = Object.entries(glyphTable.glyphs).filter(([, [, ...outlines]]) => outlines.length === 0)
    expect(bare.map(([letter]) => letter)).toEqual([' '])
    const lost = Object.values(glyphTable.glyphs).filter(([, ...outlines]) =>
      outlines.some((shape, n) => n % 3 === 0 && glyphTable.shapes[shape] === undefined),
    )
    expect(lost).toEqual([])
  })

  test('is light enough for a phone', () =>
    expect(gzipSync(readFileSync(glyphTableFile), { level: 9 }).length / 1024).toBeLessThan(mostKb))
})
