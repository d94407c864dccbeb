import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { seedOfFolder } from '#support/seed.ts'
import { readSourceFiles } from './source-files.ts'

const git = (folder: string, ...words: string[]): string =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=Tester', '-c', 'user.email=tester@example.com', ...words], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()

const lockWith = (folder: string, text: string): void => writeFileSync(join(folder, 'package-lock.json'), text)

describe('the random seed of a test run', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fieldproof-seed-'))
    lockWith(folder, '{}')
    const made = folder
    onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  })

  test('the seed is a number between 0 and 2^30', () => {
    const seed = seedOfFolder(folder)
    expect(Number.isInteger(seed)).toBe(true)
    expect(seed).toBeGreaterThanOrEqual(0)
    expect(seed).toBeLessThan(2 ** 30)
  })

  test('the seed changes with the commit only, not with uncommitted edits', () => {
    git(folder, 'init', '--quiet')
    git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'First')
    const first = seedOfFolder(folder)
    lockWith(folder, '{"edited":true}')
    expect(seedOfFolder(folder)).toBe(first)
    git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'Second')
    expect(seedOfFolder(folder)).not.toBe(first)
  })

  test('the seed depends on the locked packages without a commit, or inside another repository', () => {
    const first = seedOfFolder(folder)
    expect(seedOfFolder(folder)).toBe(first)
    lockWith(folder, '{"edited":true}')
    const edited = seedOfFolder(folder)
    expect(edited).not.toBe(first)
    git(folder, 'init', '--quiet')
    expect(seedOfFolder(folder)).toBe(edited)
    git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'First')
    const inside = join(folder, 'inside')
    mkdirSync(inside)
    lockWith(inside, '{"edited":true}')
    expect(seedOfFolder(inside)).toBe(edited)
  })
})

test('no test uses unseeded randomness', () => {
  const chance = /\bMath\.random\(|\brandomInt\(|Date\.now\(\) %|process\.pid\b.*%/
  const drawing = readSourceFiles('tests').filter(
    ({ path, text }) => path !== 'tests/house/seed.test.ts' && chance.test(text),
  )
  expect(drawing.map(({ path }) => path)).toEqual([])
})

test('each unit test with properties is in a project that seeds them', () => {
  const seeded = /^tests\/(domain|server|local)\/|^tests\/client\/.*\.ts$/
  const withProperties = readSourceFiles('tests').filter(
    ({ path, imports }) => /\.test\.tsx?$/.test(path) && imports.some(({ target }) => target === 'fast-check'),
  )
  expect(withProperties.length).toBeGreaterThan(40)
  expect(withProperties.map(({ path }) => path).filter((path) => !seeded.test(path))).toEqual([])
})
