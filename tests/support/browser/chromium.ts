import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from 'playwright'

/** How Chromium must be started where it may be root and has no network of its own. */
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
 * A Chromium to test with: the one `CHROMIUM_PATH` names, the system's, Playwright's own, else one fetched from Debian or from
 * Playwright. Throws with what to do when there is none to be had.
 */
export const findChromium = (): string => {
  const there = findInstalled()
  if (there) return there
  if (isDebianRoot()) run('apt-get', ['update', '-q']) && run('apt-get', ['install', '-y', '-q', 'chromium'])
  if (!findInstalled()) run('npx', ['playwright', 'install', 'chromium'])
  const found = findInstalled()
  if (!found) throw new Error('No Chromium found. Install one and name it in CHROMIUM_PATH.')
  return found
}
