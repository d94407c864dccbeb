import { setFlagsFromString } from 'node:v8'
import { defineConfig } from 'vitest/config'
import './support/seed.ts'

// Node's engine can abort when it frees the code of an embedded database (nodejs/node#64500), so it never frees it.
setFlagsFromString('--no-wasm-code-gc')

/**
 * The timeout is thirty seconds, because five are too few for some tests on a busy machine, and a timeout would count as a killed mutant in
 * the domain.
 */
const createProject = (name: string, overrides: object = {}) => ({
  test: { name, include: [`tests/${name}/**/*.test.{ts,tsx}`], environment: 'node', testTimeout: 30_000, ...overrides },
})

const isolateBroadcastChannel = 'tests/support/device/isolate-broadcast-channel.ts'
const longWaits = 'tests/support/rendering/long-waits.ts'
/** Only for projects with property tests, so that the files of other projects do not load fast-check. */
const seededProperties = 'tests/support/seeded-properties.ts'

/** One project per folder of `src`. The browser journeys have their own runner (`tests/playwright.config.ts`). */
export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    reporters: ['default'],
    globalSetup: 'tests/support/database/drop-test-databases.ts',
    // The suite is planned for two cores; the default would leave one of them idle.
    maxWorkers: 2,
    // Threads of one process share the compiled code of the embedded database.
    pool: 'threads',
    // Projects whose tests leave no state in modules load each module once for all of their files (`isolate: false`).
    projects: [
      createProject('domain', { isolate: false, setupFiles: seededProperties }),
      createProject('contract', { isolate: false }),
      createProject('local', { setupFiles: [seededProperties, isolateBroadcastChannel, longWaits] }),
      // Tests that render need a page. Tests of pure functions run without one, because creating a page takes longer than most of these tests.
      createProject('client', {
        include: ['tests/client/**/*.test.tsx'],
        environment: 'happy-dom',
        setupFiles: [isolateBroadcastChannel, longWaits],
      }),
      createProject('client', {
        ...{ name: 'client-without-page', include: ['tests/client/**/*.test.ts'] },
        setupFiles: [seededProperties, isolateBroadcastChannel, longWaits],
      }),
      createProject('server', { hookTimeout: 60_000, isolate: false, setupFiles: seededProperties }),
      createProject('sw', { setupFiles: isolateBroadcastChannel }),
      createProject('faults'),
      createProject('house', { isolate: false }),
    ],
  },
})
