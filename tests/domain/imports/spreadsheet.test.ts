import { describe, expect, it } from 'vitest'
import { cleanCell, maxCellCharacters } from '#domain/imports/spreadsheet.ts'

describe('a cell of a spreadsheet', () => {
  it.each([
    ['Persian with a non-joiner', 'می\u200cخواهم'],
    ['Malayalam that ends in a joiner', 'അവന്\u200d'],
    ['a family emoji', '👩\u200d👩\u200d👧'],
  ])('a cell keeps the joiners of %s', (_, text) => {
    expect(cleanCell(text)).toBe(text)
  })

  it('a cell loses directional marks and other invisible characters', () => {
    expect(cleanCell('\u202eecalevoL\u202c \u2066Ada\u2069\u200b\u200e\u200f\ufeff')).toBe('ecalevoL Ada')
    expect(cleanCell('\u202a\u202b\u202d\u2067\u2068x')).toBe('x')
  })

  it('a cell with nothing but joiners is empty', () => {
    expect(cleanCell(' \u200c\u200d ')).toBe('')
  })

  it('a cell is no longer than Excel’s maximum', () => {
    expect(cleanCell('a'.repeat(100_000))).toHaveLength(maxCellCharacters)
  })
})
