import { fileURLToPath } from 'node:url'
import { build, preview } from 'vite'
import { checkScreen } from '#support/browser/screen-checks.ts'
import { expect, test as journeyTest } from '#support/journeys/journey-test.ts'
import { freePort } from '#support/product/start-product.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Serves the client in development mode without an API, because production builds do not contain the kit page. */
const test = journeyTest.extend({
  baseURL: async ({}, use, { outputDir }) => {
    const developmentConfig = {
      configFile: `${root}vite.config.ts`,
      logLevel: 'error',
      define: { 'import.meta.env.DEV': 'true', 'import.meta.env.PROD': 'false' },
      build: { outDir: `${outputDir}/pages` },
      preview: { host: '127.0.0.1', port: await freePort(), strictPort: true },
    } as const
    await build(developmentConfig)
    const server = await preview(developmentConfig)
    await use(`http://127.0.0.1:${developmentConfig.preview.port}`)
    await server.close()
  },
})

test.use({ contextOptions: { reducedMotion: 'reduce' } })

test('The kit page with every component in every state passes the screen checks', async ({ page }) => {
  await page.goto('/kit')
  await expect(page.getByRole('heading', { level: 1, name: 'The kit' })).toBeVisible()
  await checkScreen(page, '57-kit')
  await page.getByRole('button', { name: 'More actions' }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  await checkScreen(page, '58-kit-menu')
})
