import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium } from 'playwright/test'
import { chromiumArguments, findChromium } from './chromium.ts'

export type KillableBrowser = {
  context: BrowserContext
  /** Kills all processes of the browser at once, as an empty battery does. Files on disk remain. */
  kill: () => Promise<void>
}

/** A phone whose browser profile survives restarts. */
export type BrowserProfile = { launch: () => Promise<KillableBrowser>; remove: () => Promise<void> }

const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

export const createBrowserProfile = async (baseURL: string): Promise<BrowserProfile> => {
  const folder = await mkdtemp(join(tmpdir(), 'fieldproof-profile-'))
  const [program, pidFile] = [join(folder, 'browser'), join(folder, 'pid')]
  // Playwright does not expose the browser's process id, so a wrapper script writes it before it execs the browser.
  await writeFile(program, `#!/bin/sh\necho $$ > ${shellQuoted(pidFile)}\nexec ${shellQuoted(findChromium())} "$@"\n`)
  await chmod(program, 0o755)
  const launch = async (): Promise<KillableBrowser> => {
    const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
      baseURL,
      executablePath: program,
      args: chromiumArguments,
      viewport: { width: 390, height: 844 },
    })
    const pid = Number(await readFile(pidFile, 'utf8'))
    const kill = async (): Promise<void> => {
      const closed = context.waitForEvent('close')
      // Playwright starts a browser as the leader of a process group, so a negative id kills the whole group.
      process.kill(-pid, 'SIGKILL')
      await closed
    }
    return { context, kill }
  }
  return { launch, remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }) }
}
