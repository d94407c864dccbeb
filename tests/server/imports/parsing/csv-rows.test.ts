import fc from 'fast-check'
import papaparse from 'papaparse'
import { describe, expect, it } from 'vitest'
import { csvRows } from '#server/imports/parsing/csv-rows.ts'
import { readCsv } from '#server/imports/parsing/read-csv.ts'
import { hostileLists } from '#tests/server/file-parsers/hostile-lists.ts'

const readCells = (text: string, separator = ','): (readonly string[])[] =>
  [...csvRows(text, separator)].map(({ cells }) => cells)

const cell = fc.string({ unit: fc.constantFrom('a', 'é', ' ', '"', ',', ';', '\t', '\n'), maxLength: 6 })

describe('CSV rows', () => {
  it('csvRows reads what papaparse wrote, with any cells and any separator', () => {
    const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(rows, fc.constantFrom(',', ';', '\t', '|'), (written, delimiter) => {
        const text = papaparse.unparse(written, { delimiter, newline: '\n' })
        expect([...csvRows(text, delimiter)].every(({ isClosed }) => isClosed)).toBe(true)
        expect(readCells(text, delimiter)).toEqual(written)
      }),
      { numRuns: 1_000 },
    )
  })

  it('blanks are allowed between the closing quote and the end of the cell', () => {
    expect(readCells('"a, b" ,c\n"d" \t,"e"  ')).toEqual([
      ['a, b', 'c'],
      ['d', 'e'],
    ])
  })

  it('csvRows reports a quoted cell that does not close or closes before its end', () => {
    const closing = (text: string) => [...csvRows(text, ',')].map(({ isClosed }) => isClosed)
    expect(closing('a,"b"\n"c""d",e')).toEqual([true, true])
    expect(closing('a,"b')).toEqual([false])
    expect(closing('"a"b,c\nd,e')).toEqual([false])
  })

  it('a row has no more cells than an Excel sheet', () => {
    const [first = [], second] = readCells(`${','.repeat(1_000_000)}\na,b`)
    expect(first).toHaveLength(16_384)
    expect(second).toEqual(['a', 'b'])
  })

  it('csvRows takes linear time for any combination of quotes and blanks', async () => {
    const bytes = await hostileLists['quotes and blanks']?.(4)
    const start = performance.now()
    expect(readCsv(String(bytes)).rows.length).toBeGreaterThan(0)
    expect(performance.now() - start).toBeLessThan(2_000)
  })
})
