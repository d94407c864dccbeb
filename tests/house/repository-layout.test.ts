import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from './source-files.ts'

const trackedFiles = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n')

describe('the repository layout', () => {
  test('the root folder has exactly the agreed entries', () => {
    const agreedEntries = [
      'package.json',
      'package-lock.json',
      'tsconfig.json',
      'vite.config.ts',
      'src',
      'sw',
      'public',
      'tests',
      'README.md',
      'LICENSE',
      'biome.json',
    ]
    const topEntries = new Set(
      trackedFiles.map((path) => path.split('/')[0]).filter((entry) => entry && !entry.startsWith('.')),
    )
    expect([...topEntries].toSorted()).toEqual(agreedEntries.toSorted())
  })

  test('no folder is named utils, helpers, common or the like', () => {
    const vagueFolder = /\/(utils?|helpers?|lib|common|misc|services|hooks|types)(\/|\.tsx?$)/
    expect(trackedFiles.filter((path) => /^(src|sw|tests)\//.test(path) && vagueFolder.test(path))).toEqual([])
  })

  test('colours are only defined in the tokens', () => {
    const colourLiteral = /#[0-9a-f]{3,8}\b|\b(rgba?|hsla?|oklch)\(/i
    const sheets = globSync(join(root, 'src/**/*.css')).filter((path) => !path.endsWith('tokens.css'))
    const sheetsWithColours = sheets.filter((path) =>
      colourLiteral.test(readFileSync(path, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')),
    )
    expect(sheetsWithColours).toEqual([])
  })
})
