import { fileURLToPath } from 'node:url'
import { build, preview } from 'vite'
import { checkScreen } from '#support/browser/screen-checks.ts'
import { expect, test as journeys } from '#support/journeys/journey-test.ts'
import { freePort } from '#support/product/start-product.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** The client in development mode without an API. Production builds do not contain the kit. */
const test = journeys.extend({
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads a fixture's needs from this pattern
  baseURL: async ({}, use, { outputDir }) => {
    const forDevelopers = {
      configFile: `${root}vite.config.ts`,
      logLevel: 'error',
      define: { 'import.meta.env.DEV': 'true', 'import.meta.env.PROD': 'false' },
      build: { outDir: `${outputDir}/pages` },
      preview: { host: '127.0.0.1', port: await freePort(), strictPort: true },
    } as const
    await build(forDevelopers)
    const pages = await preview(forDevelopers)
    await use(`http://127.0.0.1:${forDevelopers.preview.port}`)
    await pages.close()
  },
})

test.use({ contextOptions: { reducedMotion: 'reduce' } })

test('The kit, every part in every state', async ({ page }) => {
  await page.goto('/kit')
  await expect(page.getByRole('heading', { level: 1, name: 'The kit' })).toBeVisible()
  await checkScreen(page, '57-kit')
  await page.getByRole('button', { name: 'More actions' }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  await checkScreen(page, '58-kit-menu')
})
