import { expect, test } from 'vitest'
import { readSourceFiles } from './source-files.ts'
import { stiffTexts } from './stiff-phrases.ts'

const sources = readSourceFiles('src/client', 'src/server', 'src/domain', 'src/contract', 'src/local')

test('no visible text contains a stiff phrase', () => {
  const findings = sources.flatMap(({ path, text }) => stiffTexts(path, text))
  expect(findings.map(({ location, text, write }) => `${location}: ${text} (${write})`)).toEqual([])
})

test.each([
  ['JSX text', 'export const A = () => <p>Packages that are keyed\n  in stand here.</p>'],
  ['a JSX attribute', 'export const A = () => <Notice title="Nobody is here yet" />'],
  ['a string', "const message = 'This goes on by itself'"],
  ['a one-word label', 'export const A = () => <Bar label="Everybody" />'],
  ['a text with a straight apostrophe', "export const A = () => <h2>This family's data</h2>"],
  ['a template', 'const message = `The money goes back to the card`'],
])('a stiff phrase in %s is found', (_, source) => {
  expect(stiffTexts('src/client/made-up.tsx', source)).not.toEqual([])
})

test.each([
  ['a comment', '// This goes on by itself.\nexport const a = 1'],
  ['a query', 'const rows = sql`select pictures as p from q`'],
  ['a one-word string', "const problem = 'picture-gone'"],
])('a stiff phrase in %s is ignored', (_, source) => {
  expect(stiffTexts('src/client/made-up.tsx', source)).toEqual([])
})
