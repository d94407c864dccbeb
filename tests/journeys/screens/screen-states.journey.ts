import type { BrowserContext, Page } from 'playwright/test'
import { patterns } from '#platform/urls.ts'
import type { Db } from '#server/database/database.ts'
import { waitUntilPageCached } from '#support/browser/offline-readiness.ts'
import { checkScreenState, takesScreenshots } from '#support/browser/screen-checks.ts'
import { idsInUrl, openAda } from '#support/journeys/customer-steps.ts'
import { allowPageErrors, expect } from '#support/journeys/journey-test.ts'
import { test } from '#support/journeys/proxied-journey-test.ts'
import { changeProductData } from '#support/product/product-database.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

/** The screens of customers, by the name of their URL. */
const customerScreens = Object.entries(patterns).filter(([name]) =>
  /^(home|customer|checkout|order|shared|unsubscribe)/.test(name),
)

const addressOf = (pattern: string, values: Record<string, string>): string =>
  pattern.replace(/:(\w+)\??/g, (_, name: string) => values[name] ?? '').replace(/(?<=.)\/+$/, '')

/** Waits until the screen shows that it loads, or something else that needs no request. */
const waitForLoader = async (page: Page): Promise<void> => {
  const shown = page.locator('[data-spinner], [aria-busy=true], main [aria-hidden=true], h1').filter({ visible: true })
  await expect.soft(shown.first(), `${page.url()} shows a loader`).toBeVisible()
}

const waitForScreen = async (page: Page): Promise<void> => {
  await page.waitForLoadState('networkidle')
  await expect.soft(page.locator('h1'), `${page.url()} has one first-level heading`).toHaveCount(1)
}

const serverError = { errors: ['Something went wrong'], problem: 'server-error' }
type Faults = (context: BrowserContext) => Promise<unknown>
const faults = {
  loading: (context) => context.route('**/api/**', () => {}),
  failed: (context) => context.route('**/api/**', (route) => route.fulfill({ status: 500, json: serverError })),
  unreachable: (context) => context.route('**/api/**', (route) => route.abort()),
} satisfies Record<string, Faults>

// Runs only when screenshots are taken, because journeys check the screens themselves.
if (takesScreenshots) {
  test('Every customer screen fits the phone in every state', async ({ page, browser, context, site, pageErrors }) => {
    test.setTimeout(3_600_000)
    await openAda(page)
    await waitUntilPageCached(page)
    const { jobId, subjectId } = idsInUrl(page)
    const ids = {
      jobId: String(jobId),
      subjectId: String(subjectId),
      imageId: '1',
      packageIDs: '1',
      cartPackageId: '1',
    }
    const names = { studioSlug: 'riverside', code: 'NOTONE', linkId: 'A'.repeat(22), orderNumber: 'FP-00000000' }
    const session = await context.storageState()

    const visitAll = async (state: string, visitor: Page, isLoaded = waitForScreen): Promise<void> => {
      for (const [name, [pattern]] of customerScreens)
        await test.step(`${name}, ${state}`, async () => {
          // A page whose requests hang is never loaded.
          await visitor.goto(site.proxy.url + addressOf(pattern, { ...ids, ...names }), { waitUntil: 'commit' })
          await isLoaded(visitor)
          await checkScreenState(visitor, `state-${name}-${state}`)
        })
    }
    const visitAllAnew = async (state: string, options: { storageState?: typeof session; fault?: Faults } = {}) => {
      const { storageState, fault } = options
      const visitorContext = await browser.newContext({
        ...{ serviceWorkers: 'block', reducedMotion: 'reduce', hasTouch: true },
        ...(storageState && { storageState }),
      })
      await fault?.(visitorContext)
      const visitor = await visitorContext.newPage()
      await visitAll(state, visitor, fault === faults.loading ? waitForLoader : waitForScreen)
      await visitorContext.close()
    }

    await visitAllAnew('empty', { storageState: session })
    for (const [state, fault] of Object.entries(faults)) await visitAllAnew(state, { storageState: session, fault })
    await visitAllAnew('without-access')
    await context.setOffline(true)
    await visitAll('offline', page)
    await context.setOffline(false)

    const changeData = async (change: (db: Db) => Promise<unknown>): Promise<void> => {
      await site.stop()
      await changeProductData(site.dataDir, change)
      await site.start()
    }
    const now = new Date()
    const closeJob = (db: Db, gallery_closes_at: Date | null) =>
      db.updateTable('jobs').set({ gallery_closes_at }).where('id', '=', jobId).execute()
    await changeData((db) => closeJob(db, now))
    await visitAllAnew('closed', { storageState: session })
    await changeData(async (db) => {
      await closeJob(db, null)
      await db.updateTable('subjects').set({ hidden_at: now }).where('id', '=', subjectId).execute()
    })
    await visitAllAnew('hidden', { storageState: session })
    allowPageErrors(pageErrors, /./)
  })
}
