import { describe, expect, test } from 'vitest'
import { climbingShare, countLines, crowdedFolders, importCycles, measure } from './code-metrics.ts'
import { readSourceFiles } from './source-files.ts'

const sources = readSourceFiles('src', 'sw')
const allSources = [...sources, ...readSourceFiles('tests')]
const allMetrics = allSources.map((source) => ({ path: source.path, ...measure(source) }))
const sourceMetrics = allMetrics.filter(({ path }) => !path.startsWith('tests/'))
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

/** The maximum of each figure. Limits are only ever lowered. */
const limits = {
  longFiles: 0,
  longFunctions: 0,
  deepFiles: 0,
  suppressionsPerThousandLines: 0.3,
  // A struct's value type is invariant, so only `any` matches every struct (`contract/shapes/call.ts`).
  anyTypes: 1,
  swallowedErrors: 0,
  climbingImports: 0.01,
  shortFiles: 60,
  cycles: 0,
}

describe('the code', () => {
  test('has no long files', () => {
    const longFiles = sourceMetrics
      .filter(({ lines }) => lines > 300)
      .map(({ path, lines }) => `${path}: ${lines} lines`)
    expect(longFiles.length, longFiles.join('\n')).toBeLessThanOrEqual(limits.longFiles)
  })

  test('has no long functions', () => {
    const longFunctions = sourceMetrics.flatMap((metrics) =>
      metrics.longFunctions.map(({ location, lines }) => `${location}: ${lines} lines`),
    )
    expect(longFunctions.length, longFunctions.join('\n')).toBeLessThanOrEqual(limits.longFunctions)
  })

  test('is not nested deeply', () => {
    const deepFiles = sourceMetrics
      .filter(({ nesting }) => nesting > 3)
      .map(({ path, nesting }) => `${path}: ${nesting}`)
    expect(deepFiles.length, deepFiles.join('\n')).toBeLessThanOrEqual(limits.deepFiles)
  })

  test('has few suppressions of the compiler or the linter, and few `any` types', () => {
    const perThousand =
      (sum(allMetrics.map(({ suppressions }) => suppressions)) / sum(allMetrics.map(({ lines }) => lines))) * 1_000
    expect(perThousand).toBeLessThanOrEqual(limits.suppressionsPerThousandLines)
    expect(sum(allMetrics.map(({ anyTypes }) => anyTypes))).toBeLessThanOrEqual(limits.anyTypes)
  })

  test('swallows no error without a reason', () => {
    const swallowedErrors = sourceMetrics.flatMap((metrics) => metrics.swallowedErrors)
    expect(swallowedErrors.length, swallowedErrors.join('\n')).toBeLessThanOrEqual(limits.swallowedErrors)
  })

  test('imports by alias instead of climbing folders', () => {
    expect(climbingShare(allSources)).toBeLessThanOrEqual(limits.climbingImports)
  })

  test('has at most 25 files in each folder, and few very short files', () => {
    const paths = allSources.map(({ path }) => path)
    expect(crowdedFolders(paths, 25)).toEqual({})
    expect(sourceMetrics.filter(({ lines }) => lines < 20).length).toBeLessThanOrEqual(limits.shortFiles)
  })

  test('has no import cycles, type imports included', () => {
    const cycles = importCycles(sources)
    expect(cycles.length, JSON.stringify(cycles, null, 1)).toBeLessThanOrEqual(limits.cycles)
  })

  test('is measured correctly: lines, nesting and import cycles of small examples', () => {
    const nestedCode = 'const f = () => { if (a) { for (const b of c) { if (d) { while (e) g() } } } }\n'
    const { nesting, lines } = measure({ path: 'a.ts', text: nestedCode, imports: [] })
    expect([nesting, lines, countLines('a\nb')]).toEqual([4, 1, 2])
    const createImporter = (path: string, target: string) => ({
      path,
      text: '',
      imports: [{ target, specifier: target, isType: true }],
    })
    expect(
      importCycles([createImporter('a.ts', 'b.ts'), createImporter('b.ts', 'a.ts'), createImporter('c.ts', 'a.ts')]),
    ).toEqual([['a.ts', 'b.ts']])
  })
})
