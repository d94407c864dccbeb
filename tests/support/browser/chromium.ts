import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from 'playwright'
import { findDebianProgram } from './debian-program.ts'

/** Arguments that Chromium needs when it runs as root or without its own network. */
export const chromiumArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const systemPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
]

const run = (command: string, args: string[]): boolean => {
  try {
    execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: 600_000 })
    return true
  } catch {
    return false
  }
}

const findInstalled = (): string | undefined =>
  [process.env.CHROMIUM_PATH, ...systemPaths, chromium.executablePath()].find((path) => path && existsSync(path))

const isDebianRoot = (): boolean => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

/**
 * Path of a Chromium to test with: `CHROMIUM_PATH`, the system's or Playwright's. If there is none, it is downloaded from Debian or
 * Playwright. Throws with instructions if that fails.
 */
export const findChromium = (): string => {
  const installedPath = findInstalled()
  if (installedPath) return installedPath
  if (isDebianRoot()) run('apt-get', ['update', '-q']) && run('apt-get', ['install', '-y', '-q', 'chromium'])
  if (!findInstalled()) run('npx', ['playwright', 'install', 'chromium'])
  const downloadedPath = findInstalled()
  if (!downloadedPath) throw new Error('No Chromium found. Install one and name it in CHROMIUM_PATH.')
  return downloadedPath
}

/**
 * Path of a Chromium without windows: `CHROMIUM_PATH` or Debian's; the usual Chromium if there is none. Journeys take half as long in it,
 * because it paints pages in the background as often as the one in front. It has no Background Sync.
 */
const findShell = (): string => {
  const chosenPath = process.env.CHROMIUM_PATH
  if (chosenPath) return chosenPath
  try {
    return findDebianProgram('chromium-headless-shell', ['/usr/bin/chromium-headless-shell'])
  } catch {
    return findChromium()
  }
}

/** Path of the Chromium for journeys. It is found once for a run: the workers inherit the variable. */
export const findHeadlessShell = (): string => {
  process.env.JOURNEYS_CHROMIUM ??= findShell()
  return process.env.JOURNEYS_CHROMIUM
}
