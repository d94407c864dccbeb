import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright/test'
import { waitUntilPageCached } from '#support/browser/offline-readiness.ts'
import {
  addToCart,
  cartLine,
  cartStatus,
  choosePackage,
  expectImagesLoaded,
  fetchCart,
  fillCardForm,
  fillCheckoutForm,
  findAda,
  idsInUrl,
  openAda,
  openJob,
  openPrints,
  pay,
  readOrderNumber,
  savedAtServer,
  savedOnDevice,
  testCards,
} from '#support/journeys/customer-steps.ts'
import { allowPageErrors, collectPageErrors, expect, waitForServiceWorker } from '#support/journeys/journey-test.ts'
import { test as proxiedTest } from '#support/journeys/proxied-journey-test.ts'
import { noFaults, refuseAll } from '#support/network/fault-plans.ts'

type PhoneBrowser = { launch: (options?: { offline?: boolean }) => Promise<{ context: BrowserContext; page: Page }> }

/** A browser whose data is still there after it is closed, as on a phone. */
const test = proxiedTest.extend<{ phone: PhoneBrowser }>({
  phone: async ({ playwright, baseURL, pageErrors }, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'fieldproof-phone-'))
    const contexts: BrowserContext[] = []
    const launch: PhoneBrowser['launch'] = async ({ offline = false } = {}) => {
      const context = await playwright.chromium.launchPersistentContext(folder, { baseURL, offline })
      collectPageErrors(context, pageErrors)
      contexts.push(context)
      return { context, page: context.pages()[0] ?? (await context.newPage()) }
    }
    await use({ launch })
    for (const context of contexts) await context.close()
    await rm(folder, { recursive: true, force: true })
  },
})

const customizePrint = async (page: Page, text: string): Promise<void> => {
  const printSection = page.getByRole('region', { name: '8×10' })
  await openPrints(page)
  await printSection.getByRole('radio', { name: 'Photo 1' }).check()
  await printSection.getByRole('textbox', { name: /^Name/ }).fill(text)
}

const expectSavedOnDevice = async (page: Page): Promise<void> => {
  await expect(cartLine(page, /Package/)).toHaveCount(2)
  for (const name of [/Package B/, /Package E/]) await expect(cartLine(page, name)).toBeVisible()
  // The status is shown once.
  await expect(page.getByText(savedOnDevice, { exact: true })).toHaveCount(1)
  await expect(cartStatus(page)).toContainText(savedOnDevice)
  await expect(page.getByRole('main').getByText('$62.00').last()).toBeVisible()
}

test('A parent orders offline, closes the browser, and pays once the network is back', async ({ phone, site }) => {
  const first = await phone.launch()
  await openJob(first.page, 'SPRING')
  await findAda(first.page)
  const ids = idsInUrl(first.page)
  const packages = new URL(first.page.url()).pathname
  await waitUntilPageCached(first.page)
  // The proxy refuses all requests too, because `setOffline` does not reach the worker or a starting browser.
  await first.context.setOffline(true)
  site.proxy.setFaultPlan(refuseAll)

  await test.step('The parent chooses, customizes and adds two packages', async () => {
    await choosePackage(first.page, /Package B/)
    await customizePrint(first.page, 'Ada B.')
    await addToCart(first.page)
    await first.page.getByRole('link', { name: 'Add another package for Ada' }).click()
    await choosePackage(first.page, /Package E/, 'Photo 1')
    await first.page.getByRole('textbox', { name: /^Name/ }).fill('Ada E.')
    await addToCart(first.page)
    await expectSavedOnDevice(first.page)
  })
  const cart = first.page.url()
  await first.context.close()

  const { context, page } = await phone.launch({ offline: true })
  await test.step('After a restart of the browser, still offline, the cart is complete', async () => {
    await page.goto(cart)
    await expectSavedOnDevice(page)
    await expect(
      cartLine(page, /Package B/)
        .getByRole('definition')
        .first(),
    ).toHaveText('Ada B.')
    expect(site.proxy.requests.filter(({ path, fault }) => path.endsWith('/cart/sync') && fault === 'none')).toEqual([])
  })

  await test.step('Every screen opens offline by its URL, and again when it is reloaded', async () => {
    const jobUrl = `/riverside/${ids.jobId}`
    const editPackageUrl = await page.getByRole('link', { name: /^Edit Package B/ }).getAttribute('href')
    const screens: readonly [string, string | RegExp][] = [
      ['/', 'Welcome to Fieldproof'],
      ['/riverside', 'Find your photos'],
      [jobUrl, 'Who are you ordering for?'],
      [`${jobUrl}/search`, 'Who are you ordering for?'],
      [packages, 'Ada Lovelace'],
      [`${jobUrl}/subject/${ids.subjectId}/package-options/1`, 'Make it yours'],
      [editPackageUrl ?? '', 'Make it yours'],
      [`${jobUrl}/cart`, 'Cart'],
      [`${jobUrl}/confirmCart`, 'Waiting for a connection'],
      [`${jobUrl}/checkout`, 'Checkout'],
      [`${jobUrl}/checkout/review`, 'Review your order'],
      [`${jobUrl}/order/FP-00000000`, 'We can’t show this order right now'],
    ]
    for (const [address, heading] of screens) {
      await page.goto(address)
      await expect(page.getByRole('heading', { level: 1, name: heading }), address).toBeVisible()
      await page.reload()
      await expect(page.getByRole('heading', { level: 1, name: heading }), address).toBeVisible()
      await expectImagesLoaded(page)
    }
  })

  await test.step('The studio’s page links to the cart', async () => {
    await page.goto('/riverside')
    await page.getByRole('link', { name: 'Go to your cart (2 packages)' }).click()
    await expectSavedOnDevice(page)
  })

  await test.step('Once the network is back, the cart is sent without a tap', async () => {
    await expectSavedOnDevice(page)
    site.proxy.setFaultPlan(noFaults)
    await context.setOffline(false)
    await expect(cartStatus(page)).toHaveText(savedAtServer)
    expect((await fetchCart(page, ids.jobId)).cartPackages).toHaveLength(2)
  })

  await test.step('The order is paid, and its confirmation can be read offline', async () => {
    await fillCheckoutForm(page)
    await fillCardForm(page, testCards.good)
    await pay(page)
    const number = await readOrderNumber(page)
    await context.setOffline(true)
    await page.reload()
    await expect(page.getByText(number, { exact: true })).toBeVisible()
    await context.setOffline(false)
  })
})

test('A studio’s page that was opened before is painted before any script runs, also offline', async ({
  page,
  context,
}) => {
  await page.goto('/riverside')
  await waitForServiceWorker(page)
  const cachedPage = () => page.evaluate(async () => (await (await caches.match('/riverside'))?.text()) ?? '')
  await expect.poll(cachedPage).toContain('Find your photos')
  await context.setOffline(true)
  const response = await page.goto('/riverside')
  expect(response?.fromServiceWorker()).toBe(true)
  expect(await response?.text()).toContain('Find your photos')
  await page.getByRole('textbox', { name: 'Access code' }).fill('SPRING')
  await page.getByRole('button', { name: 'Open' }).click()
  await expect(page.getByRole('textbox', { name: 'Access code' })).toHaveValue('SPRING')
  await expect(page.getByText(/no connection right now/).first()).toBeVisible()
})

test('Offline, /login shows that there is no connection, and it loads once the network is back', async ({
  page,
  context,
  pageErrors,
}) => {
  await page.goto('/riverside')
  await waitForServiceWorker(page)
  await context.setOffline(true)
  await page.goto('/login')
  await expect(page.getByRole('heading', { level: 1, name: 'There is no connection right now' })).toBeVisible()
  await expect(page).toHaveTitle('There is no connection right now | Fieldproof')
  await context.setOffline(false)
  await expect(page.getByRole('textbox', { name: 'Email' })).toBeVisible()
  allowPageErrors(pageErrors, /dynamically imported module|Unable to preload CSS/)
})

test('A phone that lost first its session and then the network works with its stored data', async ({
  page,
  context,
  site,
}) => {
  await openAda(page)
  await waitUntilPageCached(page)
  const { jobId } = idsInUrl(page)
  await context.clearCookies()
  // The job's offers can be read without a session. Every other request fails.
  site.proxy.setFaultPlan(({ method, path }) => (method === 'GET' && /\/jobs\/\d+\//.test(path) ? 'none' : 'refuse'))
  const requestCount = site.proxy.requests.length
  await page.reload()
  const refreshedPaths = () =>
    site.proxy.requests
      .slice(requestCount)
      .flatMap(({ path, fault }) => (fault === 'none' ? (path.split('/').at(-1) ?? '') : []))
  await expect
    .poll(refreshedPaths)
    .toEqual(expect.arrayContaining(['availability', expect.stringMatching(/^packages/)]))
  await context.setOffline(true)
  site.proxy.setFaultPlan(refuseAll)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Ada Lovelace' })).toBeVisible()
  await expectImagesLoaded(page)

  site.proxy.setFaultPlan(noFaults)
  await context.setOffline(false)
  await choosePackage(page, /Package F/)
  await addToCart(page)
  await expect(cartStatus(page)).toHaveText(savedAtServer)
  await expect.poll(async () => (await fetchCart(page, jobId)).cartPackages.length).toBe(1)
})
