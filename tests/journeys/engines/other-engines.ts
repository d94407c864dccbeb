import { firefox } from 'playwright'
import { findDebianProgram } from '#support/browser/debian-program.ts'
import { startWebKit, type ViewportSize } from '#support/browser/webkit-webdriver.ts'
import type { BrowserDriver } from './browser-driver.ts'
import { playwrightDriver } from './playwright-driver.ts'
import { webdriverDriver } from './webdriver-driver.ts'

/** The viewport of a customer's phone. */
export const phoneViewport: ViewportSize = { width: 390, height: 844 }

/** The viewport of a staff tablet. */
export const tabletViewport: ViewportSize = { width: 1024, height: 768 }

export type BrowserEngine = { name: string; start: (viewport?: ViewportSize) => Promise<BrowserDriver> }

const startFirefox = async (viewport: ViewportSize): Promise<BrowserDriver> => {
  const executablePath = findDebianProgram('firefox-esr', ['/usr/bin/firefox-esr'])
  // Mozilla's own Firefox; without the channel Playwright expects its patched build.
  const browser = await firefox.launch({ channel: 'moz-firefox', executablePath })
  const driver = await playwrightDriver(await browser.newContext({ viewport }))
  return { ...driver, close: () => browser.close() }
}

/** The browser engines other than Chromium, installed from Debian packages. */
export const otherEngines: readonly BrowserEngine[] = [
  { name: 'Firefox ESR', start: (viewport = phoneViewport) => startFirefox(viewport) },
  { name: 'WebKitGTK', start: async (viewport = phoneViewport) => webdriverDriver(await startWebKit(viewport)) },
]
