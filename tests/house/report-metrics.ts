import { climbingShare, countLines, crowdedFolders, importCycles, measure } from './code-metrics.ts'
import { readSourceFiles } from './source-files.ts'

// Prints the figures of `code-metrics.test.ts` with the files they come from: `node tests/house/report-metrics.ts`.
const sources = readSourceFiles('src', 'sw')
const tests = readSourceFiles('tests')
const allSources = [...sources, ...tests]
const allMetrics = allSources.map((source) => ({ path: source.path, ...measure(source) }))
const sourceMetrics = allMetrics.filter(({ path }) => !path.startsWith('tests/'))
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
const print = (name: string, value: unknown) =>
  console.warn(`${name}: ${typeof value === 'object' ? JSON.stringify(value, null, 1) : value}`)
const lines = sum(allMetrics.map((metrics) => metrics.lines))

print('lines of src and sw', sum(sources.map(({ text }) => countLines(text))))
print('lines of tests', sum(tests.map(({ text }) => countLines(text))))
print(
  'files of src over 300 lines',
  sourceMetrics.filter((metrics) => metrics.lines > 300).map(({ path, lines: count }) => `${path} ${count}`),
)
print(
  'functions of src over 80 lines',
  sourceMetrics.flatMap(({ longFunctions }) =>
    longFunctions.map(({ location, lines: count }) => `${location} ${count}`),
  ),
)
print(
  'nesting over 3 in src',
  sourceMetrics.filter(({ nesting }) => nesting > 3).map(({ path, nesting }) => `${path} ${nesting}`),
)
print(
  'suppressions per 1,000 lines',
  ((sum(allMetrics.map(({ suppressions }) => suppressions)) / lines) * 1_000).toFixed(2),
)
print(
  'any',
  allMetrics.filter(({ anyTypes }) => anyTypes > 0).map(({ path, anyTypes }) => `${path} ${anyTypes}`),
)
print(
  'swallowed errors in src',
  sourceMetrics.flatMap(({ swallowedErrors }) => swallowedErrors),
)
print('imports that climb two folders', `${(climbingShare(allSources) * 100).toFixed(2)} %`)
print(
  'folders over 25 files',
  crowdedFolders(
    allSources.map(({ path }) => path),
    25,
  ),
)
print('files of src under 20 lines', sourceMetrics.filter((metrics) => metrics.lines < 20).length)
print('import cycles', importCycles(sources))
