import type { Browser, BrowserContext, Response } from 'playwright/test'
import { urls } from '#platform/urls.ts'
import { collectPageErrors, expect, test } from '#support/journeys/journey-test.ts'
import { gzipKb } from '#tests/bench/byte-budgets.ts'
import type { BrowserDriver } from '../engines/browser-driver.ts'
import { customerOrderSteps, type JourneyStep } from '../engines/customer-order-steps.ts'
import { playwrightDriver } from '../engines/playwright-driver.ts'

/** Budget of a customer screen in KB of gzip: the JavaScript and CSS that it needs for the first tap. */
const limitKb = 180

/** Budget of the home page for a first visit; the API client and the database load on demand. */
const homeLimitKb = 100

const limitOf = (path: string): number => (path === urls.home() ? homeLimitKb : limitKb)

/** Visits run in parallel, because each mostly waits until the network is idle. */
const parallelVisits = 3

type StoredState = Awaited<ReturnType<BrowserContext['storageState']>>

/** Reads the phone's stored state. Of the databases only the cart’s is returned, because another one exists only for a moment. */
const readStoredState = async (context: BrowserContext): Promise<StoredState> => {
  const state: StoredState & { origins: { indexedDB?: { name: string }[] }[] } = await context.storageState({
    indexedDB: true,
  })
  for (const origin of state.origins) {
    if (origin.indexedDB) origin.indexedDB = origin.indexedDB.filter(({ name }) => name === 'cart')
  }
  return state
}

const isCode = (response: Response): boolean => ['script', 'stylesheet'].includes(response.request().resourceType())

/**
 * A phone whose page errors are collected. The service worker is blocked, because its prefetches are not part of a visit (the build has a
 * budget for them).
 */
const newPhone = async (browser: Browser, pageErrors: string[], storageState?: StoredState) => {
  const context = await browser.newContext({
    serviceWorkers: 'block',
    viewport: { width: 390, height: 844 },
    ...(storageState && { storageState }),
  })
  collectPageErrors(context, pageErrors)
  return context
}

/** Visits a URL with an empty cache, but with the phone's stored state. Returns its code files in KB of gzip. */
const coldVisit = async (context: BrowserContext, url: string, visibleText: string) => {
  try {
    const page = await context.newPage()
    // What a screen loads when it is idle is not needed for the first tap.
    await page.addInitScript(() => Object.assign(window, { requestIdleCallback: () => 0 }))
    const code = new Map<string, Response>()
    page.on('response', (response) => isCode(response) && code.set(new URL(response.url()).pathname, response))
    await page.goto(url)
    await expect(page.getByText(visibleText).filter({ visible: true }).first()).toBeVisible()
    // A prerendered page shows its text before its script starts, so wait for React as well.
    await page.waitForFunction(() =>
      Object.keys(document.getElementById('root') ?? {}).some((key) => key.startsWith('__reactContainer')),
    )
    await page.waitForLoadState('networkidle')
    const files: Record<string, number> = {}
    for (const [file, response] of code) files[file] = gzipKb(await response.body())
    return files
  } finally {
    await context.close()
  }
}

/** Runs some steps of the order flow. Returns the path after each step, by the step's name. */
const runSteps = async (driver: BrowserDriver, steps: readonly JourneyStep[]): Promise<Record<string, string>> => {
  const paths: Record<string, string> = {}
  for (const step of steps) {
    await step.do(driver)
    paths[step.name] = new URL(await driver.address()).pathname
  }
  return paths
}

test('No customer screen exceeds its byte budget, and none loads staff code', async ({
  browser,
  product,
  pageErrors,
}) => {
  const context = await newPhone(browser, pageErrors)
  const driver = await playwrightDriver(context)
  const costs: { path: string; kb: number; files: Record<string, number> }[] = []
  const measure = async (screens: Record<string, string>, storedState?: StoredState): Promise<void> => {
    const pendingScreens = Object.entries(screens).values()
    const visitScreens = async (): Promise<void> => {
      for (const [path, visibleText] of pendingScreens) {
        const phone = await newPhone(browser, pageErrors, storedState)
        const files = await test.step(`A phone visits ${path}`, () => coldVisit(phone, product.url + path, visibleText))
        const kb = Object.values(files).reduce((sum, fileKb) => sum + fileKb, 0)
        process.stdout.write(`     ${kb.toFixed(1)} of ${limitOf(path)} KB  ${path}\n`)
        costs.push({ path, kb, files })
      }
    }
    await Promise.all(Array.from({ length: parallelVisits }, visitScreens))
  }

  const studioSlug = 'riverside'
  await measure({
    [urls.home()]: 'Event Online Ordering Platform',
    [urls.customerStudio({ studioSlug })]: 'Find your photos',
    [urls.unavailable({ studioSlug, jobId: 999_999 })]: 'Try again',
  })

  await driver.goTo(product.url + urls.customerCode({ studioSlug, code: 'RAPIDS' }))
  await driver.waitFor('Rapids Team Photos')
  const gallery = new URL(await driver.address()).pathname
  await driver.goTo(`${product.url}/`)
  const checkoutIndex = customerOrderSteps.findIndex(({ name }) => name === 'The parent fills in the checkout form')
  const orderPaths = await runSteps(driver, customerOrderSteps.slice(0, checkoutIndex))
  const [jobId = 0] = orderPaths['The parent opens the job by its code']?.match(/\d+/g)?.map(Number) ?? []
  const job = { studioSlug, jobId }
  await measure(
    {
      [gallery]: 'Rapids Team Photos',
      [orderPaths['The parent opens the job by its code'] ?? '']: 'Who are you ordering for?',
      [orderPaths['The parent finds the child'] ?? '']: 'Packages',
      [orderPaths['The parent chooses a package'] ?? '']: 'Make it yours',
      [urls.editCartPackage({ ...job, cartPackageId: 1 })]: 'Package B',
      [urls.cart(job)]: 'Subtotal',
      [urls.orderServices(job)]: 'Retouching, name and year',
      [urls.confirmCart(job)]: 'Ready to pay',
      [urls.checkout(job)]: 'Billing address',
      [urls.checkoutReview(job)]: 'Review your order',
    },
    await readStoredState(context),
  )

  const checkoutPaths = await runSteps(driver, customerOrderSteps.slice(checkoutIndex))
  await measure(
    { [checkoutPaths['The next card pays the order'] ?? '']: 'What you ordered' },
    await readStoredState(context),
  )
  await context.close()

  const loadedFiles = costs.flatMap(({ files }) => Object.keys(files))
  expect(loadedFiles.filter((file) => /staff/.test(file))).toEqual([])
  expect(costs.filter(({ path, kb }) => kb === 0 || kb > limitOf(path))).toEqual([])
})
