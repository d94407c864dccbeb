import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The commit that is checked out in the folder, not one of a repository around it. */
const commitOf = (folder: string): string | undefined => {
  if (!existsSync(join(folder, '.git'))) return undefined
  try {
    return execFileSync('git', ['-C', folder, 'rev-parse', 'HEAD'], { stdio: ['ignore', 'pipe', 'ignore'] }).toString()
  } catch {
    return undefined // no git here, or no commit yet
  }
}

const lockOf = (folder: string): Buffer | string => {
  const file = join(folder, 'package-lock.json')
  return existsSync(file) ? readFileSync(file) : ''
}

/** A seed from 0 to 2^30 - 1, the same for each run on one commit; without a commit the same until the locked packages change. */
export const seedOfFolder = (folder: string): number =>
  createHash('sha256')
    .update(commitOf(folder) ?? lockOf(folder))
    .digest()
    .readUInt32BE() >>> 2

// Derived once: threads and processes of the run inherit it.
process.env.TEST_SEED ??= String(seedOfFolder(join(import.meta.dirname, '../..')))

/** What tests draw their cases by: `TEST_SEED`, else the seed of the commit. */
export const testSeed = Number(process.env.TEST_SEED)

/** Whether this run tests all cases of a set that other runs draw from: continuous integration and the long run (`LONG=1`). */
export const isWhole = Boolean(process.env.CI) || process.env.LONG === '1'

/** All cases where the whole is tested, else the one that the seed chooses. */
export const chosen = <Case>(cases: readonly Case[]): readonly Case[] =>
  isWhole ? cases : cases.filter((_, n) => n === testSeed % cases.length)
