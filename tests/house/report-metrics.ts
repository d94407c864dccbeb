import { climbingShare, crowdedFolders, importCircles, linesOf, measure } from './code-metrics.ts'
import { readSourceFiles } from './source-files.ts'

// Prints the figures of `code-metrics.test.ts` with their places: `node tests/house/report-metrics.ts`.
const src = readSourceFiles('src', 'sw')
const tests = readSourceFiles('tests')
const all = [...src, ...tests]
const measured = all.map((source) => ({ path: source.path, ...measure(source) }))
const inSrc = measured.filter(({ path }) => !path.startsWith('tests/'))
const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0)
const print = (name: string, value: unknown) =>
  console.warn(`${name}: ${typeof value === 'object' ? JSON.stringify(value, null, 1) : value}`)
const lines = sum(measured.map((one) => one.lines))

print('lines of src and sw', sum(src.map(({ text }) => linesOf(text))))
print('lines of tests', sum(tests.map(({ text }) => linesOf(text))))
print(
  'files of src over 300 lines',
  inSrc.filter((one) => one.lines > 300).map(({ path, lines: count }) => `${path} ${count}`),
)
print(
  'functions of src over 80 lines',
  inSrc.flatMap(({ longFunctions }) => longFunctions.map(({ place, lines: count }) => `${place} ${count}`)),
)
print(
  'nesting over 3 in src',
  inSrc.filter(({ nesting }) => nesting > 3).map(({ path, nesting }) => `${path} ${nesting}`),
)
print(
  'suppressions per 1,000 lines',
  ((sum(measured.map(({ suppressions }) => suppressions)) / lines) * 1_000).toFixed(2),
)
print(
  'any',
  measured.filter(({ anyTypes }) => anyTypes > 0).map(({ path, anyTypes }) => `${path} ${anyTypes}`),
)
print(
  'swallowed errors in src',
  inSrc.flatMap(({ swallowed }) => swallowed),
)
print('imports that climb two folders', `${(climbingShare(all) * 100).toFixed(2)} %`)
print(
  'folders over 25 files',
  crowdedFolders(
    all.map(({ path }) => path),
    25,
  ),
)
print('files of src under 20 lines', inSrc.filter((one) => one.lines < 20).length)
print('import circles', importCircles(src))
