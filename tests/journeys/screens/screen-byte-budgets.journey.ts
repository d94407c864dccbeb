import type { Browser, BrowserContext, Response } from 'playwright/test'
import { urls } from '#platform/urls.ts'
import { collectPageErrors, expect, test } from '#support/journeys/journey-test.ts'
import { gzipKb } from '../../bench/byte-budgets.ts'
import type { BrowserDriver } from '../engines/browser-driver.ts'
import { customerOrderSteps, type JourneyStep } from '../engines/customer-order-steps.ts'
import { playwrightDriver } from '../engines/playwright-driver.ts'

/** Budget of a customer screen in KB of gzip: all of its own JavaScript and CSS. */
const limitKb = 180

/** Budget of the home page for a first visit; the API client and the database load on demand. */
const homeLimitKb = 100

const limitOf = (path: string): number => (path === urls.home() ? homeLimitKb : limitKb)

/** Each visit has a phone of its own and waits most of its time for the network to be idle. */
const visitsAtOnce = 3

type Remembered = Awaited<ReturnType<BrowserContext['storageState']>>

/** Restoring the state must leave out a key that the private-window check writes for a moment. */
const remembered = async (context: BrowserContext): Promise<Remembered> => {
  const state: Remembered & { origins: { indexedDB?: { name: string }[] }[] } = await context.storageState({
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
const newPhone = async (browser: Browser, pageErrors: string[], storageState?: Remembered) => {
  const context = await browser.newContext({
    serviceWorkers: 'block',
    viewport: { width: 390, height: 844 },
    ...(storageState && { storageState }),
  })
  collectPageErrors(context, pageErrors)
  return context
}

/** Visits a URL with an empty cache, but with the phone's stored state. Returns its code files in KB of gzip. */
const coldVisit = async (context: BrowserContext, url: string, shows: string) => {
  try {
    const page = await context.newPage()
    const code = new Map<string, Response>()
    page.on('response', (response) => isCode(response) && code.set(new URL(response.url()).pathname, response))
    await page.goto(url)
    await expect(page.getByText(shows).filter({ visible: true }).first()).toBeVisible()
    await page.waitForLoadState('networkidle')
    const files: Record<string, number> = {}
    for (const [file, response] of code) files[file] = gzipKb(await response.body())
    return files
  } finally {
    await context.close()
  }
}

/** Runs some steps of the order flow. Returns the paths they ended on. */
const walk = async (parent: BrowserDriver, steps: readonly JourneyStep[]): Promise<Record<string, string>> => {
  const ended: Record<string, string> = {}
  for (const step of steps) {
    await step.do(parent)
    ended[step.name] = new URL(await parent.address()).pathname
  }
  return ended
}

test('no customer screen costs more than its bytes, and none loads code for staff', async ({
  browser,
  product,
  pageErrors,
}) => {
  const context = await newPhone(browser, pageErrors)
  const parent = await playwrightDriver(context)
  const costs: { path: string; kb: number; files: Record<string, number> }[] = []
  const measure = async (screens: Record<string, string>, remembered?: Remembered): Promise<void> => {
    const waiting = Object.entries(screens).values()
    const visitor = async (): Promise<void> => {
      for (const [path, shows] of waiting) {
        const phone = await newPhone(browser, pageErrors, remembered)
        const files = await test.step(`visit ${path}`, () => coldVisit(phone, product.url + path, shows))
        const kb = Object.values(files).reduce((sum, one) => sum + one, 0)
        process.stdout.write(`     ${kb.toFixed(1)} of ${limitOf(path)} KB  ${path}\n`)
        costs.push({ path, kb, files })
      }
    }
    await Promise.all(Array.from({ length: visitsAtOnce }, visitor))
  }

  const studioSlug = 'riverside'
  await measure({
    [urls.home()]: 'Event Online Ordering Platform',
    [urls.customerStudio({ studioSlug })]: 'See your pictures',
    [urls.unavailable({ studioSlug, jobId: 999_999 })]: 'Try again',
  })

  await parent.goTo(product.url + urls.customerCode({ studioSlug, code: 'RAPIDS' }))
  await parent.waitFor('Rapids Team Photos')
  const gallery = new URL(await parent.address()).pathname
  await parent.goTo(`${product.url}/`)
  const paying = customerOrderSteps.findIndex(({ name }) => name === 'give the details')
  const ended = await walk(parent, customerOrderSteps.slice(0, paying))
  const [jobId = 0] = ended['find the event']?.match(/\d+/g)?.map(Number) ?? []
  const place = { studioSlug, jobId }
  await measure(
    {
      [gallery]: 'Rapids Team Photos',
      [ended['find the event'] ?? '']: 'Who are you ordering for?',
      [ended['find the child'] ?? '']: 'Packages',
      [ended['choose a package'] ?? '']: 'Make it yours',
      [urls.editCartPackage({ ...place, cartPackageId: 1 })]: 'Package B',
      [urls.cart(place)]: 'Total so far',
      [urls.orderServices(place)]: 'Retouching, name and year',
      [urls.confirmCart(place)]: 'Ready to pay',
      [urls.checkout(place)]: 'Billing address',
      [urls.checkoutReview(place)]: 'Review your order',
    },
    await remembered(context),
  )

  const paid = await walk(parent, customerOrderSteps.slice(paying))
  await measure({ [paid['the next card pays'] ?? '']: 'Your order number is' }, await remembered(context))
  await context.close()

  const loaded = costs.flatMap(({ files }) => Object.keys(files))
  expect(loaded.filter((file) => /staff/.test(file))).toEqual([])
  expect(costs.filter(({ path, kb }) => kb === 0 || kb > limitOf(path))).toEqual([])
})
