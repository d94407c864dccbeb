import { describe, expect, test } from 'vitest'
import { commentsOf, countWords, type Finding, inComments, inExports, inFileName, inTitles } from './plain-words.ts'
import { readSourceFiles } from './source-files.ts'

const excluded = /^tests\/house\/(plain-words|report-words)/
const sources = readSourceFiles('src', 'sw', 'tests').filter(({ path }) => !excluded.test(path))
const tests = sources.filter(({ path }) => path.startsWith('tests/'))

const format = (findings: readonly Finding[]): string[] =>
  findings.map(({ location, text, write }) => `${location}: ${text} (${write})`)

/** Maximum number of findings. Lower these limits whenever possible. */
const limits = { files: 0, exports: 0, titles: 0, commentsPerThousandWords: 0.5 }

describe('plain words', () => {
  test('no file has an unusual or vague name', () => {
    const findings = sources.flatMap(({ path }) => inFileName(path))
    expect(findings.length, format(findings).join('\n')).toBeLessThanOrEqual(limits.files)
  })

  test('no export has an unusual or vague name', () => {
    const findings = sources.flatMap(({ path, text }) => inExports(path, text))
    expect(findings.length, format(findings).join('\n')).toBeLessThanOrEqual(limits.exports)
  })

  test('test titles use plain words', () => {
    const findings = tests.flatMap(({ path, text }) => inTitles(path, text))
    expect(findings.length, format(findings).join('\n')).toBeLessThanOrEqual(limits.titles)
  })

  test('comments use plain words', () => {
    const findings = sources.flatMap(({ path, text }) => inComments(path, text))
    const words = sources
      .flatMap(({ path, text }) => commentsOf(path, text))
      .reduce((sum, comment) => sum + countWords(comment.text), 0)
    const perThousand = (findings.length / words) * 1_000
    expect(perThousand, format(findings).join('\n')).toBeLessThanOrEqual(limits.commentsPerThousandWords)
  })

  test('unusual words are recognised', () => {
    expect(inFileName('src/domain/told.ts')).toHaveLength(1)
    expect(inExports('a.ts', 'export const sayAgain = 1\nexport type Place = 2')).toHaveLength(1)
    expect(inTitles('a.test.ts', "test('is nobody else’s to do', () => {})")).toHaveLength(1)
    expect(inComments('a.ts', '/** What waits, told once more. */\n// Stands for Mr. and Mrs.')).toHaveLength(1)
  })
})
