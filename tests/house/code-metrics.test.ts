import { describe, expect, test } from 'vitest'
import { climbingShare, crowdedFolders, importCircles, linesOf, measure } from './code-metrics.ts'
import { readSourceFiles } from './source-files.ts'

const src = readSourceFiles('src', 'sw')
const all = [...src, ...readSourceFiles('tests')]
const measured = all.map((source) => ({ path: source.path, ...measure(source) }))
const inSrc = measured.filter(({ path }) => !path.startsWith('tests/'))
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

/** What is allowed of each; a figure only ever falls. */
const limits = {
  longFiles: 1,
  longFunctions: 17,
  deepFiles: 2,
  suppressionsPerThousandLines: 0.37,
  anyTypes: 8,
  swallowedErrors: 19,
  climbingImports: 0.021,
  shortFiles: 199,
  circles: 1,
}

describe('the code', () => {
  test('has no long files', () => {
    const long = inSrc.filter(({ lines }) => lines > 300).map(({ path, lines }) => `${path}: ${lines} lines`)
    expect(long.length, long.join('\n')).toBeLessThanOrEqual(limits.longFiles)
  })

  test('has no long functions', () => {
    const long = inSrc.flatMap(({ longFunctions }) =>
      longFunctions.map(({ place, lines }) => `${place}: ${lines} lines`),
    )
    expect(long.length, long.join('\n')).toBeLessThanOrEqual(limits.longFunctions)
  })

  test('is not nested deeply', () => {
    const deep = inSrc.filter(({ nesting }) => nesting > 3).map(({ path, nesting }) => `${path}: ${nesting}`)
    expect(deep.length, deep.join('\n')).toBeLessThanOrEqual(limits.deepFiles)
  })

  test('rarely asks the compiler or the linter to look away', () => {
    const perThousand =
      (sum(measured.map(({ suppressions }) => suppressions)) / sum(measured.map(({ lines }) => lines))) * 1_000
    expect(perThousand).toBeLessThanOrEqual(limits.suppressionsPerThousandLines)
    expect(sum(measured.map(({ anyTypes }) => anyTypes))).toBeLessThanOrEqual(limits.anyTypes)
  })

  test('swallows no error without a reason', () => {
    const swallowed = inSrc.flatMap((one) => one.swallowed)
    expect(swallowed.length, swallowed.join('\n')).toBeLessThanOrEqual(limits.swallowedErrors)
  })

  test('imports by alias instead of climbing folders', () => {
    expect(climbingShare(all)).toBeLessThanOrEqual(limits.climbingImports)
  })

  test('lies in folders of at most 25 files, few of them tiny', () => {
    const paths = all.map(({ path }) => path)
    expect(crowdedFolders(paths, 25)).toEqual({})
    expect(inSrc.filter(({ lines }) => lines < 20).length).toBeLessThanOrEqual(limits.shortFiles)
  })

  test('has no circles of imports, types included', () => {
    const circles = importCircles(src)
    expect(circles.length, JSON.stringify(circles, null, 1)).toBeLessThanOrEqual(limits.circles)
  })

  test('is measured by lines, nesting and circles', () => {
    const nested = 'const f = () => { if (a) { for (const b of c) { if (d) { while (e) g() } } } }\n'
    const { nesting, lines } = measure({ path: 'a.ts', text: nested, imports: [] })
    expect([nesting, lines, linesOf('a\nb')]).toEqual([4, 1, 2])
    const link = (path: string, target: string) => ({
      path,
      text: '',
      imports: [{ target, specifier: target, isType: true }],
    })
    expect(importCircles([link('a.ts', 'b.ts'), link('b.ts', 'a.ts'), link('c.ts', 'a.ts')])).toEqual([
      ['a.ts', 'b.ts'],
    ])
  })
})
