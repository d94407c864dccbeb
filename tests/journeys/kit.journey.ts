import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'
import { expect, forgive, test as journeys } from '../support/journey.ts'
import { lookAt } from '../support/looks.ts'
import { freePort } from '../support/product.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The pages as `npm run dev` makes them, without an API: the kit is in no build. */
const test = journeys.extend({
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads a fixture's needs from this pattern
  baseURL: async ({}, use) => {
    const pages = await createServer({
      configFile: `${root}vite.config.ts`,
      cacheDir: `${root}test-results/vite`,
      logLevel: 'error',
      server: { host: '127.0.0.1', port: await freePort(), strictPort: true, hmr: false },
    })
    await pages.listen()
    await use(`http://127.0.0.1:${pages.config.server.port}`)
    await pages.close()
  },
})

test.use({ contextOptions: { reducedMotion: 'reduce' } })

// The pages alone have no worker; whether it is asked for while the test lasts is a matter of time.
const noWorker = /unsupported MIME type/

test('The kit, every part in every state', async ({ page, complaints }) => {
  // Whoever makes the pages may find out late what they need, and tells nobody here to load them anew.
  await expect(async () => {
    await page.goto('/kit')
    await expect(page.getByRole('heading', { level: 1, name: 'The kit' })).toBeVisible({ timeout: 10_000 })
  }).toPass()
  await lookAt(page, '57-kit')
  await page.getByRole('button', { name: 'More actions' }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  await lookAt(page, '58-kit-menu')
  forgive(complaints, noWorker)
})
