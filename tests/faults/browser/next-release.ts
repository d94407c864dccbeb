import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fingerprint } from '#server/build/fingerprint.ts'

/** The folder of this release, built. */
export const thisRelease = fileURLToPath(new URL('../../..', import.meta.url))

const parts = ['src', 'sw', 'public', 'package.json', 'package-lock.json', 'vite.config.ts']

const currentOutput = 'output: { codeSplitting'
const renamedOutput =
  "output: { entryFileNames: 'assets/[name]-[hash]-next.js', chunkFileNames: 'assets/[name]-[hash]-next.js', codeSplitting"

/** Matches the files of the next release. */
export const nextReleaseFileName = /-next\.js$/

const buildNextRelease = (folder: string): void => {
  for (const part of parts) cpSync(join(thisRelease, part), join(folder, part), { recursive: true })
  symlinkSync(join(thisRelease, 'node_modules'), join(folder, 'node_modules'))
  const config = join(folder, 'vite.config.ts')
  const before = readFileSync(config, 'utf8')
  if (!before.includes(currentOutput)) throw new Error(`vite.config.ts has no “${currentOutput}” to change`)
  writeFileSync(config, before.replace(currentOutput, renamedOutput))
  execFileSync(process.execPath, ['src/server/build/ensure-built.ts'], { cwd: folder, stdio: 'inherit' })
}

/**
 * The folder of a next release, unpacked next to this one as an operator would: built from the same sources, with every code file renamed.
 * Built once for these sources in this checkout, whose packages it uses.
 */
export const nextRelease = (): string => {
  const here = createHash('sha256').update(thisRelease).digest('hex').slice(0, 8)
  const folder = join(tmpdir(), `fieldproof-next-${here}-${fingerprint()}`)
  if (existsSync(folder)) return folder
  const unfinished = `${folder}.${process.pid}`
  mkdirSync(unfinished)
  buildNextRelease(unfinished)
  try {
    renameSync(unfinished, folder)
  } catch {
    // Another run finished first.
    rmSync(unfinished, { recursive: true })
  }
  return folder
}
