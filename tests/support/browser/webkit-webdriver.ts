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
  name: (element: WebElement) => Promise<string>
  click: (element: WebElement) => Promise<void>
  type: (element: WebElement, text: string) => Promise<void>
  /** Presses and releases keys one after the other, at the focused element. */
  press: (keys: readonly string[]) => Promise<void>
  /** Drags an element from its center, by this many pixels to the right and down. */
  drag: (element: WebElement, offset: { x: number; y: number }) => Promise<void>
  /** The size of the page's viewport in CSS pixels. */
  size: () => Promise<ViewportSize>
  /** Runs the body of a function in the page. */
  run: <Result>(body: string, ...args: unknown[]) => Promise<Result>
  close: () => Promise<void>
}

type SendCommand = <Result>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<Result>

const commandSender =
  (base: string): SendCommand =>
  async (method, path, body) => {
    const response = await fetch(base + path, {
      method,
      ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
      signal: AbortSignal.timeout(60_000),
    })
    const { value } = (await response.json()) as { value: { error?: string; message?: string } | null }
    if (!response.ok) throw new Error(`${method} ${path}: ${value?.error} ${value?.message}`)
    return value as never // the caller names what this path returns
  }

const keyActions = ['keyDown', 'keyUp'] as const

const createWebDriver = (send: SendCommand, close: () => Promise<void>): WebDriver => {
  const elementPath = (element: WebElement, rest: string): string => `/element/${element[elementKey]}/${rest}`
  const run: WebDriver['run'] = (script, ...args) => send('POST', '/execute/sync', { script, args })
  return {
    open: (url) => send('POST', '/url', { url }),
    find: (value, inside) =>
      send('POST', inside ? elementPath(inside, 'elements') : '/elements', { using: 'css selector', value }),
    name: (element) => send('GET', elementPath(element, 'computedlabel')),
    click: (element) => send('POST', elementPath(element, 'click')),
    type: (element, text) => send('POST', elementPath(element, 'value'), { text }),
    press: (keys) =>
      send('POST', '/actions', {
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
      await send('POST', '/actions', { actions: [{ type: 'pointer', id: 'mouse', actions }] })
    },
    size: () => run('return { width: innerWidth, height: innerHeight }'),
    run,
    close,
  }
}

const terminate = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

// With GTK's default sizes the toolbar of MiniBrowser makes the window at least 448 pixels wide.
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
  return { display: `:${number.toString().trim()}`, close: () => terminate(child) }
}

const waitUntilReady = async (send: SendCommand): Promise<void> => {
  for (let attempt = 0; ; attempt += 1) {
    const status = await send<{ ready: boolean }>('GET', '/status').catch(() => undefined)
    if (status?.ready) return
    if (attempt === 100) throw new Error('the WebDriver did not become ready within ten seconds')
    await wait(100) // no event reports that the driver listens
  }
}

const miniBrowsers = ['x86_64', 'aarch64'].flatMap((machine) =>
  ['4.1', '4.0'].map((version) => `/usr/lib/${machine}-linux-gnu/webkit2gtk-${version}/MiniBrowser`),
)

/** Resizes the window until the page's viewport has this size, without the toolbars. Throws with the last size if the size does not become stable. */
const resizePage = async (send: SendCommand, { size }: WebDriver, target: ViewportSize): Promise<void> => {
  let current = await size()
  let stableChecks = 0
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const isTargetSize = current.width === target.width && current.height === target.height
    stableChecks = isTargetSize ? stableChecks + 1 : 0
    if (stableChecks === 5) return
    if (!isTargetSize) {
      const window = await send<ViewportSize>('GET', '/window/rect')
      const width = window.width + target.width - current.width
      const height = window.height + target.height - current.height
      await send('POST', '/window/rect', { width, height })
    }
    await wait(100) // no event reports that the page has its new size, and an earlier resize may still be in progress
    current = await size()
  }
  throw new Error(`the page has ${current.width} × ${current.height} and not ${target.width} × ${target.height}`)
}

/** Starts Debian's WebKitGTK, a port of the engine of every iPhone, with a viewport of this size. */
export const startWebKit = async (viewport: ViewportSize): Promise<WebDriver> => {
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
    await terminate(child)
    await screen.close()
    await settings.remove()
  }
  try {
    const base = `http://127.0.0.1:${port}`
    const send = commandSender(base)
    await waitUntilReady(send)
    const browser = { 'webkitgtk:browserOptions': { binary, args: ['--automation'] } }
    const { sessionId } = await send<{ sessionId: string }>('POST', '/session', {
      capabilities: { alwaysMatch: browser },
    })
    const sendToSession = commandSender(`${base}/session/${sessionId}`)
    const webKit = createWebDriver(sendToSession, async () => {
      await sendToSession('DELETE', '').finally(close)
    })
    await resizePage(sendToSession, webKit, viewport)
    return webKit
  } catch (error) {
    await close()
    throw error
  }
}
