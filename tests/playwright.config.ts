import { globSync } from 'node:fs'
import { defineConfig, devices } from 'playwright/test'
import { chromiumArguments, findChromium, findHeadlessShell } from './support/browser/chromium.ts'
import { skippedJourneys } from './support/journeys/journey-selection.ts'
import { isFullRun, testSeed } from './support/seed.ts'

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }

const testMatch = ['**/*.journey.ts', '**/*.faults.ts']
const launchedFrom = (executablePath: string) => ({ launchOptions: { executablePath, args: chromiumArguments } })
const turns = isFullRun ? 1 : Number(process.env.TURNS ?? 1)
const files = globSync(testMatch, { cwd: import.meta.dirname })
const skippedFiles = skippedJourneys(files, { seed: testSeed, turns })
if (process.env.TEST_WORKER_INDEX === undefined) {
  const skippedNote = skippedFiles.length > 0 ? `; in other runs ${skippedFiles.join(' ')}` : ''
  process.stdout.write(
    `TEST_SEED=${testSeed}: ${files.length - skippedFiles.length} of ${files.length} files in ${findHeadlessShell()}${skippedNote}\n`,
  )
}

/**
 * Browser journeys through the built product. `npm test` builds it first and runs a part of them, chosen by the seed (`TURNS`). With `CI`
 * and in `npm run journeys` all of them run.
 */
export default defineConfig({
  testMatch,
  testIgnore: skippedFiles.map((file) => `**/${file}`),
  outputDir: '../test-results',
  globalSetup: './support/product/demo-data.ts',
  fullyParallel: false,
  workers: 2,
  // The longest journeys take two minutes on a slow machine with two cores.
  timeout: 240_000,
  expect: { timeout: 15_000 },
  // On a machine that is busy for a moment, one of 180 journeys may miss a time limit. A journey that passes only on its second run is listed
  // as flaky and must be investigated.
  retries: process.env.CI ? 1 : 0,
  reporter: [['list']],
  projects: [
    { name: 'journeys', testDir: 'journeys', use: launchedFrom(findHeadlessShell()) },
    // Faults need a Chromium that has Background Sync.
    { name: 'faults', testDir: 'faults', use: launchedFrom(findChromium()) },
  ],
  use: {
    ...devices['Desktop Chrome'],
    ...phone,
    // Tracing takes a fifth of the journeys' time, so traces are stored only on request, for failures.
    trace: process.env.TRACE === '1' ? 'retain-on-failure' : 'off',
  },
})
