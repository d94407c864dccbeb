import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { chromiumArguments, findChromium } from '#support/browser/chromium.ts'

/** A running Chromium, and the port of its debugger. */
export type DebuggedChromium = { port: number; close: () => Promise<void> }

const parsePort = (line: string): number | undefined => {
  const port = /DevTools listening on ws:\/\/[^:]+:(\d+)\//.exec(line)?.[1]
  return port === undefined ? undefined : Number(port)
}

/** Starts a Chromium with its own profile. Playwright is not used, because its debugging sessions would affect the measurement. */
export const startDebuggedChromium = async (): Promise<DebuggedChromium> => {
  const profile = await mkdtemp(join(tmpdir(), 'fieldproof-chromium-'))
  const child = spawn(
    findChromium(),
    [...chromiumArguments, '--headless=new', '--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank'],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const ended = once(child, 'exit')
  const close = async (): Promise<void> => {
    child.kill('SIGKILL')
    await ended
    await rm(profile, { recursive: true, force: true, maxRetries: 5 })
  }
  for await (const line of createInterface({ input: child.stderr })) {
    const port = parsePort(line)
    if (port === undefined) continue
    child.stderr.resume()
    return { port, close }
  }
  await close()
  throw new Error('Chromium ended before its debugger listened')
}
