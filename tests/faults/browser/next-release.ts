import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fingerprint } from '#server/build/fingerprint.ts'

/** The folder of this release, built. */
export const thisRelease = fileURLToPath(new URL('../../..', import.meta.url))

const sourcePaths = ['src', 'sw', 'public', 'package.json', 'package-lock.json', 'vite.config.ts']

const currentNames = "[hash:7].js'"
const nextNames = "[hash:7]-next.js'"

/** Matches the files of the next release. */
export const nextReleaseFileName = /-next\.js$/

const buildNextRelease = (folder: string): void => {
  for (const path of sourcePaths) cpSync(join(thisRelease, path), join(folder, path), { recursive: true })
  symlinkSync(join(thisRelease, 'node_modules'), join(folder, 'node_modules'))
  const config = join(folder, 'vite.config.ts')
  const configText = readFileSync(config, 'utf8')
  if (!configText.includes(currentNames)) throw new Error(`vite.config.ts has no “${currentNames}” to change`)
  writeFileSync(config, configText.replaceAll(currentNames, nextNames))
  execFileSync(process.execPath, ['src/server/build/ensure-built.ts'], { cwd: folder, stdio: 'inherit' })
}

/**
 * The folder of a next release, built from the same sources with every code file renamed. It is built once for these sources and this
 * checkout, whose packages it uses.
 */
export const nextRelease = (): string => {
  const checkoutHash = createHash('sha256').update(thisRelease).digest('hex').slice(0, 8)
  const folder = join(tmpdir(), `fieldproof-next-${checkoutHash}-${fingerprint()}`)
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
