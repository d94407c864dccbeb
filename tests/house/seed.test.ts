import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { seedOfFolder } from '#support/seed.ts'
import { readSourceFiles } from './source-files.ts'

const git = (folder: string, ...args: string[]): string =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=Tester', '-c', 'user.email=tester@example.com', ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()

const writeLockFile = (folder: string, text: string): void => writeFileSync(join(folder, 'package-lock.json'), text)

describe('the random seed of a test run', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fieldproof-seed-'))
    writeLockFile(folder, '{}')
    const createdFolder = folder
    onTestFinished(() => rmSync(createdFolder, { recursive: true, force: true }))
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
    const firstSeed = seedOfFolder(folder)
    writeLockFile(folder, '{"edited":true}')
    expect(seedOfFolder(folder)).toBe(firstSeed)
    git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'Second')
    expect(seedOfFolder(folder)).not.toBe(firstSeed)
  })

  test('the seed depends on the locked packages if there is no commit, or if the folder is inside another repository', () => {
    const firstSeed = seedOfFolder(folder)
    expect(seedOfFolder(folder)).toBe(firstSeed)
    writeLockFile(folder, '{"edited":true}')
    const editedSeed = seedOfFolder(folder)
    expect(editedSeed).not.toBe(firstSeed)
    git(folder, 'init', '--quiet')
    expect(seedOfFolder(folder)).toBe(editedSeed)
    git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'First')
    const nestedFolder = join(folder, 'nested')
    mkdirSync(nestedFolder)
    writeLockFile(nestedFolder, '{"edited":true}')
    expect(seedOfFolder(nestedFolder)).toBe(editedSeed)
  })
})

test('no test uses unseeded randomness', () => {
  const unseededRandomness = /\bMath\.random\(|\brandomInt\(|Date\.now\(\) %|process\.pid\b.*%/
  const violations = readSourceFiles('tests').filter(
    ({ path, text }) => path !== 'tests/house/seed.test.ts' && unseededRandomness.test(text),
  )
  expect(violations.map(({ path }) => path)).toEqual([])
})

test('each unit test with properties is in a project that seeds them', () => {
  const seededProject = /^tests\/(domain|server|local)\/|^tests\/client\/.*\.ts$/
  const propertyTests = readSourceFiles('tests').filter(
    ({ path, imports }) => /\.test\.tsx?$/.test(path) && imports.some(({ target }) => target === 'fast-check'),
  )
  expect(propertyTests.length).toBeGreaterThan(40)
  expect(propertyTests.map(({ path }) => path).filter((path) => !seededProject.test(path))).toEqual([])
})
