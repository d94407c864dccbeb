import type { BrowserContext, Page } from 'playwright/test'
import { patterns } from '#platform/urls.ts'
import type { Db } from '#server/database/database.ts'
import { waitUntilPageCached } from '#support/browser/offline-readiness.ts'
import { checkScreenState, takesScreenshots } from '#support/browser/screen-checks.ts'
import { idsInUrl, openAda } from '#support/journeys/customer-steps.ts'
import { allowPageErrors, collectPageErrors, expect } from '#support/journeys/journey-test.ts'
import { test } from '#support/journeys/proxied-journey-test.ts'
import { changeProductData } from '#support/product/product-database.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

/** The screens of customers, by the name of their URL. */
const customerScreens = Object.entries(patterns).filter(([name]) =>
  /^(home|customer|checkout|order|shared|unsubscribe)/.test(name),
)

const addressOf = (pattern: string, values: Record<string, string>): string =>
  pattern.replace(/:(\w+)\??/g, (_, name: string) => values[name] ?? '').replace(/(?<=.)\/+$/, '')

/** The screens that show all they have without a request. */
const screensWithoutRequests: ReadonlySet<string> = new Set(['home', 'customerStudio', 'customerContinue'])

type WaitForState = (page: Page, name: string) => Promise<void>

/** Waits until the screen shows that it loads, or its heading if it needs no request. */
const waitForLoader: WaitForState = async (page, name) => {
  const needsRequest = !screensWithoutRequests.has(name)
  const shown = page
    .locator(needsRequest ? '[data-spinner], main div[aria-hidden="true"]' : 'h1')
    .filter({ visible: true })
  await expect.soft(shown.first(), `${name} shows ${needsRequest ? 'a loader' : 'its heading'}`).toBeVisible()
}

const waitForScreen: WaitForState = async (page, name) => {
  await page.waitForLoadState('networkidle')
  await expect.soft(page.locator('h1'), `${name} has one first-level heading`).toHaveCount(1)
}

const serverError = { errors: ['Something went wrong'], problem: 'server-error' }

type Fault = {
  readonly inject: (context: BrowserContext) => Promise<unknown>
  readonly waitForState: WaitForState
  /** The page errors that the fault causes. */
  readonly pageErrors?: RegExp
}

/** The code of these screens is loaded when they are opened, because they need the network (`globIgnores` in `vite.config.ts`). */
const codeMissingOffline = /(preload CSS for|imported module:) \S+\/assets\/(handing|changing)-/

const faults: Readonly<Record<string, Fault>> = {
  loading: { inject: (context) => context.route('**/api/**', () => {}), waitForState: waitForLoader },
  failed: {
    inject: (context) => context.route('**/api/**', (route) => route.fulfill({ status: 500, json: serverError })),
    waitForState: waitForScreen,
    pageErrors: /^500 [A-Z]+ \/api\//,
  },
  unreachable: {
    inject: (context) => context.route('**/api/**', (route) => route.abort()),
    waitForState: waitForScreen,
  },
}

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

    const checkAll = async (state: string, visitor: Page, waitForState = waitForScreen): Promise<void> => {
      for (const [name, [pattern]] of customerScreens)
        await test.step(`${name}, ${state}`, async () => {
          // A page whose requests hang is never loaded.
          await visitor.goto(site.proxy.url + addressOf(pattern, { ...ids, ...names }), { waitUntil: 'commit' })
          await waitForState(visitor, name)
          await checkScreenState(visitor, `state-${name}-${state}`)
        })
    }
    const expectPageErrors = (state: string, errorsOfFault?: RegExp): void => {
      if (errorsOfFault) allowPageErrors(pageErrors, errorsOfFault)
      expect.soft(pageErrors, `errors of the page, ${state}`).toEqual([])
    }
    const checkAllInNewContext = async (state: string, options: { storageState?: typeof session; fault?: Fault }) => {
      const { storageState, fault } = options
      const visitorContext = await browser.newContext({
        ...{ serviceWorkers: 'block', reducedMotion: 'reduce', hasTouch: true },
        ...(storageState && { storageState }),
      })
      collectPageErrors(visitorContext, pageErrors)
      await fault?.inject(visitorContext)
      await checkAll(state, await visitorContext.newPage(), fault?.waitForState)
      await visitorContext.close()
      expectPageErrors(state, fault?.pageErrors)
    }

    await checkAllInNewContext('empty', { storageState: session })
    for (const [state, fault] of Object.entries(faults))
      await checkAllInNewContext(state, { storageState: session, fault })
    await checkAllInNewContext('without-access', {})
    await context.setOffline(true)
    await checkAll('offline', page)
    expectPageErrors('offline', codeMissingOffline)
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
    await checkAllInNewContext('closed', { storageState: session })
    await changeData(async (db) => {
      await closeJob(db, null)
      await db.updateTable('subjects').set({ hidden_at: now }).where('id', '=', subjectId).execute()
    })
    await checkAllInNewContext('hidden', { storageState: session })
  })
}
