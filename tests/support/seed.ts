import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The commit checked out in the folder; undefined when the folder only lies within another repository. */
const commitOf = (folder: string): string | undefined => {
  if (!existsSync(join(folder, '.git'))) return undefined
  try {
    return execFileSync('git', ['-C', folder, 'rev-parse', 'HEAD'], { stdio: ['ignore', 'pipe', 'ignore'] }).toString()
  } catch {
    return undefined // no git, or no commit yet
  }
}

const lockOf = (folder: string): Buffer | string => {
  const file = join(folder, 'package-lock.json')
  return existsSync(file) ? readFileSync(file) : ''
}

/** A seed from 0 to 2^30 - 1, equal for all runs on one commit. Without a commit it depends on the package lock. */
export const seedOfFolder = (folder: string): number =>
  createHash('sha256')
    .update(commitOf(folder) ?? lockOf(folder))
    .digest()
    .readUInt32BE() >>> 2

// Derived once: threads and child processes of the run inherit it.
process.env.TEST_SEED ??= String(seedOfFolder(join(import.meta.dirname, '../..')))

/** The seed of all random test cases: `TEST_SEED`, else the seed of the commit. */
export const testSeed = Number(process.env.TEST_SEED)

/** Whether this run tests all cases of a set where other runs test a sample: in continuous integration and the long run (`LONG=1`). */
export const isWhole = Boolean(process.env.CI) || process.env.LONG === '1'

/** All cases in a whole run, else the one that the seed chooses. */
export const chosen = <Case>(cases: readonly Case[]): readonly Case[] =>
  isWhole ? cases : cases.filter((_, n) => n === testSeed % cases.length)
