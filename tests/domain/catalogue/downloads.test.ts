import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { digitalProductCodes, isDigital } from '#domain/catalogue/catalogue.ts'
import { downloadKindOf, uniqueFileNames } from '#domain/catalogue/downloads.ts'
import { formatFileSize } from '#domain/shared/file-size.ts'

describe('digital products', () => {
  test.each([
    ['SingleDigDown', 'single'],
    ['Dj', 'single'],
    ['WholeDigDown', 'all'],
    ['Dk', 'all'],
    ['8x10', null],
  ] as const)('the product code %s delivers %s', (code, kind) => {
    expect(downloadKindOf(code)).toBe(kind)
    expect(isDigital(code)).toBe(kind !== null)
  })
  test('every digital product delivers something', () => {
    expect(digitalProductCodes.map(downloadKindOf)).not.toContain(null)
    expect(['constructor', 'toString', '__proto__'].map(downloadKindOf)).toEqual([null, null, null])
  })
})

describe('file names of downloads', () => {
  test.each([
    [
      ['a.jpg', 'A.JPG', 'a.jpg'],
      ['a.jpg', 'A (2).JPG', 'a (3).jpg'],
    ],
    [['../../etc/passwd'], ['_.._etc_passwd']],
    [
      ['', '.', '  '],
      ['picture', 'picture (2)', 'picture (3)'],
    ],
    [
      ['a (2).jpg', 'a.jpg', 'a.jpg'],
      ['a (2).jpg', 'a.jpg', 'a (3).jpg'],
    ],
    [['José.jpg'], ['José.jpg']],
  ])('the file names %j become %j', (names, uniqueNames) => expect(uniqueFileNames(names)).toEqual(uniqueNames))

  test('each file gets a name that differs from the others regardless of case, and stays inside its folder', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom('a.jpg', 'A.jpg', '..', 'x/y'))), (names) => {
        const uniqueNames = uniqueFileNames(names)
        expect(new Set(uniqueNames.map((name) => name.toLowerCase())).size).toBe(names.length)
        expect(uniqueNames.filter((name) => /[/\\:]|^\.|^$/.test(name))).toEqual([])
      }),
    )
  })
})

test.each([
  [0, '0 B'],
  [950, '950 B'],
  [1000, '1.0 KB'],
  [4_200_000, '4.2 MB'],
  [84_000_000, '84 MB'],
  [3_000_000_000, '3.0 GB'],
])('%d bytes are shown as %s', (bytes, text) => expect(formatFileSize(bytes)).toBe(text))
