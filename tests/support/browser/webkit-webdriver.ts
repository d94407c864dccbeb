import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../product/start-product.ts'
import { findDebianProgram } from './debian-program.ts'

const elementKey = 'element-6066-11e4-a52e-4f735466cecf'
export type ViewportSize = { width: number; height: number }
export type WebElement = { readonly [elementKey]: string }

/** The part of W3C WebDriver that a journey needs. Every method throws the browser's own message when a command fails. */
export type WebDriver = {
  open: (url: string) => Promise<void>
  find: (css: string, inside?: WebElement) => Promise<WebElement[]>
  /** The element's computed role, as assistive technology gets it. */
  role: (element: WebElement) => Promise<string>
  name: (element: WebElement) => Promise<string>
  isShown: (element: WebElement) => Promise<boolean>
  click: (element: WebElement) => Promise<void>
  clear: (element: WebElement) => Promise<void>
  type: (element: WebElement, text: string) => Promise<void>
  /** Presses and releases keys one after the other, at the focused element. */
  press: (keys: readonly string[]) => Promise<void>
  /** Drags an element by its middle, by this many pixels to the right and down. */
  drag: (element: WebElement, way: { x: number; y: number }) => Promise<void>
  /** The size of the page's viewport in CSS pixels. */
  size: () => Promise<ViewportSize>
  /** Runs the body of a function in the page. */
  run: <Result>(body: string, ...given: unknown[]) => Promise<Result>
  close: () => Promise<void>
}

type SendCommand = <Result>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<Result>

const commandSender =
  (base: string): SendCommand =>
  async (method, path, body) => {
    const answer = await fetch(base + path, {
      method,
      ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
      signal: AbortSignal.timeout(60_000),
    })
    const { value } = (await answer.json()) as { value: { error?: string; message?: string } | null }
    if (!answer.ok) throw new Error(`${method} ${path}: ${value?.error} ${value?.message}`)
    return value as never // the caller names what this path returns
  }

const keyActions = ['keyDown', 'keyUp'] as const

const createWebDriver = (ask: SendCommand, close: () => Promise<void>): WebDriver => {
  const at = (element: WebElement, rest: string): string => `/element/${element[elementKey]}/${rest}`
  const run: WebDriver['run'] = (script, ...args) => ask('POST', '/execute/sync', { script, args })
  return {
    open: (url) => ask('POST', '/url', { url }),
    find: (value, inside) =>
      ask('POST', inside ? at(inside, 'elements') : '/elements', { using: 'css selector', value }),
    role: (element) => ask('GET', at(element, 'computedrole')),
    name: (element) => ask('GET', at(element, 'computedlabel')),
    isShown: (element) => ask('GET', at(element, 'displayed')),
    click: (element) => ask('POST', at(element, 'click')),
    clear: (element) => ask('POST', at(element, 'clear')),
    type: (element, text) => ask('POST', at(element, 'value'), { text }),
    press: (keys) =>
      ask('POST', '/actions', {
        actions: [
          {
            type: 'key',
            id: 'keyboard',
            actions: keys.flatMap((value) => keyActions.map((type) => ({ type, value }))),
          },
        ],
      }),
    drag: async (origin, { x, y }) => {
      // Each step is relative to the pointer, because the dragged element moves with it.
      const step = { type: 'pointerMove', duration: 50, origin: 'pointer', x: Math.round(x / 4), y: Math.round(y / 4) }
      const actions = [
        { type: 'pointerMove', duration: 0, origin, x: 0, y: 0 },
        { type: 'pointerDown', button: 0 },
        ...[1, 2, 3, 4].map(() => step),
        { type: 'pointerUp', button: 0 },
      ]
      await ask('POST', '/actions', { actions: [{ type: 'pointer', id: 'mouse', actions }] })
    },
    size: () => run('return { width: innerWidth, height: innerHeight }'),
    run,
    close,
  }
}

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

// With GTK's default sizes the toolbar of MiniBrowser keeps the window wider than 447 pixels.
const narrowBars = 'button, entry { min-width: 0; padding: 0; }'

/** Creates a GTK settings folder whose window toolbars allow a window as narrow as a phone. */
const createGtkSettings = async (): Promise<{ directory: string; remove: () => Promise<void> }> => {
  const directory = await mkdtemp(join(tmpdir(), 'fieldproof-gtk-'))
  await mkdir(join(directory, 'gtk-3.0'))
  await writeFile(join(directory, 'gtk-3.0', 'gtk.css'), narrowBars)
  return { directory, remove: () => rm(directory, { recursive: true, force: true }) }
}

/** Starts a virtual X display. Returns its number and how to stop it. */
const startVirtualScreen = async (): Promise<{ display: string; close: () => Promise<void> }> => {
  const program = findDebianProgram('xvfb', ['/usr/bin/Xvfb'])
  const child = spawn(program, ['-displayfd', '1', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [number] = (await once(child.stdout, 'data')) as [Buffer]
  return { display: `:${number.toString().trim()}`, close: () => end(child) }
}

const untilReady = async (ask: SendCommand): Promise<void> => {
  for (let attempt = 0; ; attempt += 1) {
    const ready = await ask<{ ready: boolean }>('GET', '/status').catch(() => undefined)
    if (ready?.ready) return
    if (attempt === 100) throw new Error('the WebDriver did not become ready within ten seconds')
    await wait(100) // the driver does not announce that it listens
  }
}

const miniBrowsers = ['x86_64', 'aarch64'].flatMap((machine) =>
  ['4.1', '4.0'].map((version) => `/usr/lib/${machine}-linux-gnu/webkit2gtk-${version}/MiniBrowser`),
)

/** Resizes the window until the page's viewport has this size, toolbars excluded. Throws with the last size when it does not settle. */
const resizePage = async (ask: SendCommand, { size }: WebDriver, wanted: ViewportSize): Promise<void> => {
  let has = await size()
  let calm = 0
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const isRight = has.width === wanted.width && has.height === wanted.height
    calm = isRight ? calm + 1 : 0
    if (calm === 5) return
    if (!isRight) {
      const window = await ask<ViewportSize>('GET', '/window/rect')
      const width = window.width + wanted.width - has.width
      const height = window.height + wanted.height - has.height
      await ask('POST', '/window/rect', { width, height })
    }
    await wait(100) // no event says that the page got its new size, and an earlier resize may still be under way
    has = await size()
  }
  throw new Error(`the page has ${has.width} × ${has.height} and not ${wanted.width} × ${wanted.height}`)
}

/** Starts WebKit, the engine of every iPhone, from Debian's packages: its GTK port, driven by WebDriver, with a viewport of this size. */
export const startWebKit = async (room: ViewportSize): Promise<WebDriver> => {
  const driver = findDebianProgram('webkit2gtk-driver', ['/usr/bin/WebKitWebDriver'])
  const binary = findDebianProgram('webkit2gtk-driver', miniBrowsers)
  const screen = await startVirtualScreen()
  const settings = await createGtkSettings()
  const port = await freePort()
  const child = spawn(driver, ['--host=127.0.0.1', `--port=${port}`], {
    stdio: 'ignore',
    env: {
      ...process.env,
      DISPLAY: screen.display,
      XDG_CONFIG_HOME: settings.directory,
      WEBKIT_DISABLE_COMPOSITING_MODE: '1',
      LIBGL_ALWAYS_SOFTWARE: '1',
    },
  })
  const close = async (): Promise<void> => {
    await end(child)
    await screen.close()
    await settings.remove()
  }
  try {
    const base = `http://127.0.0.1:${port}`
    const ask = commandSender(base)
    await untilReady(ask)
    const browser = { 'webkitgtk:browserOptions': { binary, args: ['--automation'] } }
    const { sessionId } = await ask<{ sessionId: string }>('POST', '/session', {
      capabilities: { alwaysMatch: browser },
    })
    const ofSession = commandSender(`${base}/session/${sessionId}`)
    const webKit = createWebDriver(ofSession, async () => {
      await ofSession('DELETE', '').finally(close)
    })
    await resizePage(ofSession, webKit, room)
    return webKit
  } catch (error) {
    await close()
    throw error
  }
}
