import fc from 'fast-check'
import papaparse from 'papaparse'
import { describe, expect, it } from 'vitest'
import { csvRows } from '#server/imports/parsing/csv-rows.ts'
import { readCsv } from '#server/imports/parsing/read-csv.ts'
import { hostileLists } from '../../file-parsers/hostile-lists.ts'

const cellsOf = (text: string, separator = ','): (readonly string[])[] =>
  [...csvRows(text, separator)].map(({ cells }) => cells)

const cell = fc.string({ unit: fc.constantFrom('a', 'é', ' ', '"', ',', ';', '\t', '\n'), maxLength: 6 })

describe('the rows of a CSV', () => {
  it('are what a program wrote, whatever its cells and its separator', () => {
    const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(rows, fc.constantFrom(',', ';', '\t', '|'), (written, delimiter) => {
        const text = papaparse.unparse(written, { delimiter, newline: '\n' })
        expect([...csvRows(text, delimiter)].every(({ closes }) => closes)).toBe(true)
        expect(cellsOf(text, delimiter)).toEqual(written)
      }),
      { numRuns: 1_000 },
    )
  })

  it('may have blanks between the quotes of a cell and its end, at the end of the file too', () => {
    expect(cellsOf('"a, b" ,c\n"d" \t,"e"  ')).toEqual([
      ['a, b', 'c'],
      ['d', 'e'],
    ])
  })

  it('say where a quoted cell does not close, or closes before its end', () => {
    const closing = (text: string) => [...csvRows(text, ',')].map(({ closes }) => closes)
    expect(closing('a,"b"\n"c""d",e')).toEqual([true, true])
    expect(closing('a,"b')).toEqual([false])
    expect(closing('"a"b,c\nd,e')).toEqual([false])
  })

  it('have no more cells than a sheet of Excel', () => {
    const [first = [], second] = cellsOf(`${','.repeat(1_000_000)}\na,b`)
    expect(first).toHaveLength(16_384)
    expect(second).toEqual(['a', 'b'])
  })

  it('are read in a time that grows with the length alone, whatever quotes and blanks there are', async () => {
    const bytes = await hostileLists['quotes and blanks']?.(4)
    const start = performance.now()
    expect(readCsv(String(bytes)).rows.length).toBeGreaterThan(0)
    expect(performance.now() - start).toBeLessThan(2_000)
  })
})
