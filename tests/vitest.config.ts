import { randomInt } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { defineConfig } from 'vitest/config'

// Where embedded databases come and go in one process, Node's engine can abort as it frees their code (nodejs/node#64500): it keeps it.
setFlagsFromString('--no-wasm-code-gc')

// Which database each file of tests is tried on, where it is not both (`tests/support/database.ts`).
process.env.ENGINES_SEED ??= String(randomInt(1_000_000))

const room = (name: string, more: object = {}) => ({
  test: { name, include: [`tests/${name}/**/*.test.{ts,tsx}`], environment: 'node', ...more },
})

const ownBrowser = { setupFiles: ['tests/support/own-browser.ts'] }

/** One project per room of `src`; the browser journeys have their own runner (`tests/playwright.config.ts`). */
export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    reporters: ['default'],
    globalSetup: 'tests/support/drop-databases.ts',
    // Two cores is what the suite is planned for; the default leaves one of them to nobody.
    maxWorkers: 2,
    // Of one process, threads share what the engine has compiled of the embedded database.
    pool: 'threads',
    // A room whose tests leave nothing behind in a module loads its modules once for all of its files (`isolate: false`).
    projects: [
      // Properties of a thousand carts: slow on a busy machine, and no mutant is to be killed by that.
      room('domain', { testTimeout: 30_000, isolate: false }),
      room('contract', { isolate: false }),
      room('local', ownBrowser),
      // A page where something is drawn; what is reckoned needs none, and a page costs more than most of those tests.
      room('client', { include: ['tests/client/**/*.test.tsx'], environment: 'happy-dom', ...ownBrowser }),
      room('client', { name: 'client-without-page', include: ['tests/client/**/*.test.ts'], ...ownBrowser }),
      room('server', { testTimeout: 30_000, hookTimeout: 60_000, isolate: false }),
      room('sw', ownBrowser),
      room('faults'),
      room('house', { isolate: false }),
    ],
  },
})
