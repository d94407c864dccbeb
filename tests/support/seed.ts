import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The commit that is checked out in the folder. Undefined if the folder is not the root of a repository. */
const readCommit = (folder: string): string | undefined => {
  if (!existsSync(join(folder, '.git'))) return undefined
  try {
    return execFileSync('git', ['-C', folder, 'rev-parse', 'HEAD'], { stdio: ['ignore', 'pipe', 'ignore'] }).toString()
  } catch {
    return undefined // no git, or no commit yet
  }
}

const readPackageLock = (folder: string): Buffer | string => {
  const file = join(folder, 'package-lock.json')
  return existsSync(file) ? readFileSync(file) : ''
}

/** A seed from 0 to 2^30 - 1, equal for all runs on one commit. Without a commit it depends on the package lock. */
export const seedOfFolder = (folder: string): number =>
  createHash('sha256')
    .update(readCommit(folder) ?? readPackageLock(folder))
    .digest()
    .readUInt32BE() >>> 2

// Set once, because threads and child processes of the run inherit it.
process.env.TEST_SEED ??= String(seedOfFolder(join(import.meta.dirname, '../..')))

/** The seed of all random test cases: `TEST_SEED`, or else the seed of the commit. */
export const testSeed = Number(process.env.TEST_SEED)

/** Whether this run tests all cases where other runs test a sample: in continuous integration and the long run (`LONG=1`). */
export const isFullRun = Boolean(process.env.CI) || process.env.LONG === '1'

/** All cases in a full run, otherwise the one that the seed chooses. */
export const casesOfRun = <Case>(cases: readonly Case[]): readonly Case[] =>
  isFullRun ? cases : cases.filter((_, n) => n === testSeed % cases.length)
