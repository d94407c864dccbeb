import { firefox } from 'playwright'
import { findDebianProgram } from '#support/browser/debian-program.ts'
import { startWebKit, type ViewportSize } from '#support/browser/webkit-webdriver.ts'
import type { BrowserDriver } from './browser-driver.ts'
import { playwrightDriver } from './playwright-driver.ts'
import { webdriverDriver } from './webdriver-driver.ts'

/** The room a page has on a parent's phone. */
export const phoneViewport: ViewportSize = { width: 390, height: 844 }

/** And on a tablet of staff's. */
export const tabletViewport: ViewportSize = { width: 1024, height: 768 }

export type BrowserEngine = { name: string; start: (room?: ViewportSize) => Promise<BrowserDriver> }

const startFirefox = async (viewport: ViewportSize): Promise<BrowserDriver> => {
  const executablePath = findDebianProgram('firefox-esr', ['/usr/bin/firefox-esr'])
  // The Firefox that Mozilla makes; without the channel Playwright expects its own build.
  const browser = await firefox.launch({ channel: 'moz-firefox', executablePath })
  const parent = await playwrightDriver(await browser.newContext({ viewport }))
  return { ...parent, close: () => browser.close() }
}

/** The browsers other than Chromium that parents hold, from Debian's packages. */
export const otherEngines: readonly BrowserEngine[] = [
  { name: 'Firefox ESR', start: (room = phoneViewport) => startFirefox(room) },
  { name: 'WebKitGTK', start: async (room = phoneViewport) => webdriverDriver(await startWebKit(room)) },
]
