import { setFlagsFromString } from 'node:v8'
import { defineConfig } from 'vitest/config'
import './support/seed.ts'

// Where embedded databases come and go in one process, Node's engine can abort as it frees their code (nodejs/node#64500): it keeps it.
setFlagsFromString('--no-wasm-code-gc')

/** A test that hangs ends after half a minute; on a busy machine, five seconds are too few for some, and kill mutants in the domain. */
const room = (name: string, more: object = {}) => ({
  test: { name, include: [`tests/${name}/**/*.test.{ts,tsx}`], environment: 'node', testTimeout: 30_000, ...more },
})

const ownBrowser = 'tests/support/device/isolate-broadcast-channel.ts'
const patient = 'tests/support/rendering/long-waits.ts'
/** For rooms with properties; the module of fast-check would be loaded again for each file of the others. */
const seeded = 'tests/support/seeded-properties.ts'

/** One project per room of `src`; the browser journeys have their own runner (`tests/playwright.config.ts`). */
export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    reporters: ['default'],
    globalSetup: 'tests/support/database/drop-test-databases.ts',
    // Two cores is what the suite is planned for; the default leaves one of them to nobody.
    maxWorkers: 2,
    // Of one process, threads share what the engine has compiled of the embedded database.
    pool: 'threads',
    // A room whose tests leave nothing behind in a module loads its modules once for all of its files (`isolate: false`).
    projects: [
      room('domain', { isolate: false, setupFiles: seeded }),
      room('contract', { isolate: false }),
      room('local', { setupFiles: [seeded, ownBrowser, patient] }),
      // A page where something is drawn; what is reckoned needs none, and a page costs more than most of those tests.
      room('client', {
        include: ['tests/client/**/*.test.tsx'],
        environment: 'happy-dom',
        setupFiles: [ownBrowser, patient],
      }),
      room('client', {
        ...{ name: 'client-without-page', include: ['tests/client/**/*.test.ts'] },
        setupFiles: [seeded, ownBrowser, patient],
      }),
      room('server', { hookTimeout: 60_000, isolate: false, setupFiles: seeded }),
      room('sw', { setupFiles: ownBrowser }),
      room('faults'),
      room('house', { isolate: false }),
    ],
  },
})
