import { firefox } from 'playwright'
import { fromDebian } from '#support/browser/debian-program.ts'
import { type Size, startWebKit } from '#support/browser/webkit-webdriver.ts'
import type { Driver } from './browser-driver.ts'
import { playwrightDriver } from './playwright-driver.ts'
import { webdriverDriver } from './webdriver-driver.ts'

/** The room a page has on a parent's phone. */
export const phone: Size = { width: 390, height: 844 }

/** And on a tablet of staff's. */
export const tablet: Size = { width: 1024, height: 768 }

export type Engine = { name: string; start: (room?: Size) => Promise<Driver> }

const startFirefox = async (viewport: Size): Promise<Driver> => {
  const executablePath = fromDebian('firefox-esr', ['/usr/bin/firefox-esr'])
  // The Firefox that Mozilla makes; without the channel Playwright expects its own build.
  const browser = await firefox.launch({ channel: 'moz-firefox', executablePath })
  const parent = await playwrightDriver(await browser.newContext({ viewport }))
  return { ...parent, close: () => browser.close() }
}

/** The browsers other than Chromium that parents hold, from Debian's packages. */
export const otherEngines: readonly Engine[] = [
  { name: 'Firefox ESR', start: (room = phone) => startFirefox(room) },
  { name: 'WebKitGTK', start: async (room = phone) => webdriverDriver(await startWebKit(room)) },
]
