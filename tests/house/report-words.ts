import { inComments, inExports, inFileName, inTitles } from './plain-words.ts'
import { readSourceFiles } from './source-files.ts'

// Lists unusual words with their locations: `node tests/house/report-words.ts src/domain tests/domain`.
const folders = process.argv.slice(2)
const sources = readSourceFiles(...(folders.length > 0 ? folders : ['src', 'sw', 'tests']))
for (const { path, text } of sources) {
  const isTest = path.startsWith('tests/')
  const findings = [
    ...inFileName(path),
    ...inExports(path, text),
    ...(isTest ? inTitles(path, text) : []),
    ...inComments(path, text),
  ]
  for (const { location, text: finding, write } of findings) console.warn(`${location}: ${finding} [${write}]`)
}
