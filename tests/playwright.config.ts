import { randomInt } from 'node:crypto'
import { defineConfig, devices } from 'playwright/test'
import { chromiumArguments, findChromium } from './support/browser.ts'

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }

// What a short run draws by chance: said where it is drawn, and given to have it again.
process.env.JOURNEYS_SEED ??= String(randomInt(1_000_000))

/** Browser journeys through the built product; `npm test` builds it first. */
export default defineConfig({
  testMatch: ['**/*.journey.ts', '**/*.faults.ts'],
  outputDir: '../test-results',
  globalSetup: './support/demo-product.ts',
  fullyParallel: false,
  workers: 2,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  // A shared machine that stalls refuses no change: what passes the second time is listed as flaky, to be mended.
  retries: process.env.CI ? 1 : 0,
  reporter: [['list']],
  use: {
    ...devices['Desktop Chrome'],
    ...phone,
    launchOptions: { executablePath: findChromium(), args: chromiumArguments },
    // A fifth of the time of all journeys: kept of those that fail where somebody will look at it.
    trace: process.env.TRACE === '1' ? 'retain-on-failure' : 'off',
  },
})
