import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fromDebian } from './debian-package.ts'
import { freePort } from './product.ts'

const elementKey = 'element-6066-11e4-a52e-4f735466cecf'
export type Element = { readonly [elementKey]: string }

/** The part of the W3C's WebDriver that a journey needs; every verb throws the browser's own sentence when it is refused. */
export type WebDriver = {
  open: (url: string) => Promise<void>
  find: (css: string) => Promise<Element[]>
  /** What assistive technology would be told: the element's role, and its name. */
  role: (element: Element) => Promise<string>
  name: (element: Element) => Promise<string>
  isShown: (element: Element) => Promise<boolean>
  click: (element: Element) => Promise<void>
  clear: (element: Element) => Promise<void>
  type: (element: Element, text: string) => Promise<void>
  /** Runs the body of a function in the page. */
  run: <Result>(body: string, ...given: unknown[]) => Promise<Result>
  close: () => Promise<void>
}

type Ask = <Result>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<Result>

const askerOf =
  (base: string): Ask =>
  async (method, path, body) => {
    const answer = await fetch(base + path, {
      method,
      ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
      signal: AbortSignal.timeout(60_000),
    })
    const { value } = (await answer.json()) as { value: { error?: string; message?: string } | null }
    if (!answer.ok) throw new Error(`${method} ${path}: ${value?.error} ${value?.message}`)
    return value as never // the caller names what this path answers
  }

const speak = (ask: Ask, close: () => Promise<void>): WebDriver => {
  const at = (element: Element, rest: string): string => `/element/${element[elementKey]}/${rest}`
  return {
    open: (url) => ask('POST', '/url', { url }),
    find: (value) => ask('POST', '/elements', { using: 'css selector', value }),
    role: (element) => ask('GET', at(element, 'computedrole')),
    name: (element) => ask('GET', at(element, 'computedlabel')),
    isShown: (element) => ask('GET', at(element, 'displayed')),
    click: (element) => ask('POST', at(element, 'click')),
    clear: (element) => ask('POST', at(element, 'clear')),
    type: (element, text) => ask('POST', at(element, 'value'), { text }),
    run: (script, ...args) => ask('POST', '/execute/sync', { script, args }),
    close,
  }
}

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

/** A screen that nobody sees: gives its number and how to end it. */
const startScreen = async (): Promise<{ display: string; close: () => Promise<void> }> => {
  const program = fromDebian('xvfb', ['/usr/bin/Xvfb'])
  const child = spawn(program, ['-displayfd', '1', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [number] = (await once(child.stdout, 'data')) as [Buffer]
  return { display: `:${number.toString().trim()}`, close: () => end(child) }
}

const untilReady = async (ask: Ask): Promise<void> => {
  for (let attempt = 0; ; attempt += 1) {
    const ready = await ask<{ ready: boolean }>('GET', '/status').catch(() => undefined)
    if (ready?.ready) return
    if (attempt === 100) throw new Error('the WebDriver did not become ready within ten seconds')
    await wait(100) // the driver tells nobody when it listens
  }
}

const miniBrowsers = ['x86_64', 'aarch64'].flatMap((machine) =>
  ['4.1', '4.0'].map((version) => `/usr/lib/${machine}-linux-gnu/webkit2gtk-${version}/MiniBrowser`),
)

/** WebKit, the engine of every iPhone, from Debian's packages: its GTK port, driven over plain WebDriver. */
export const startWebKit = async (): Promise<WebDriver> => {
  const driver = fromDebian('webkit2gtk-driver', ['/usr/bin/WebKitWebDriver'])
  const binary = fromDebian('webkit2gtk-driver', miniBrowsers)
  const screen = await startScreen()
  const port = await freePort()
  const child = spawn(driver, ['--host=127.0.0.1', `--port=${port}`], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: screen.display, WEBKIT_DISABLE_COMPOSITING_MODE: '1', LIBGL_ALWAYS_SOFTWARE: '1' },
  })
  const close = async (): Promise<void> => {
    await end(child)
    await screen.close()
  }
  try {
    const base = `http://127.0.0.1:${port}`
    const ask = askerOf(base)
    await untilReady(ask)
    const browser = { 'webkitgtk:browserOptions': { binary, args: ['--automation'] } }
    const { sessionId } = await ask<{ sessionId: string }>('POST', '/session', {
      capabilities: { alwaysMatch: browser },
    })
    const ofSession = askerOf(`${base}/session/${sessionId}`)
    return speak(ofSession, async () => {
      await ofSession('DELETE', '').finally(close)
    })
  } catch (error) {
    await close()
    throw error
  }
}
