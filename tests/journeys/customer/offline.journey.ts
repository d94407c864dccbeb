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
  pay,
  readOrderNumber,
  savedAtServer,
  savedOnDevice,
  testCards,
} from '#support/journeys/customer-steps.ts'
import { allowPageErrors, collectPageErrors, expect, waitForServiceWorker } from '#support/journeys/journey-test.ts'
import { test as journeys } from '#support/journeys/proxied-journey-test.ts'
import { noFaults, refuseAll } from '#support/network/fault-plans.ts'

type Phone = { take: (given?: { offline?: boolean }) => Promise<{ context: BrowserContext; page: Page }> }

/** A browser that keeps its data when it is closed, as a phone's does. */
const test = journeys.extend<{ phone: Phone }>({
  phone: async ({ playwright, baseURL, pageErrors }, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'fieldproof-phone-'))
    const taken: BrowserContext[] = []
    const take: Phone['take'] = async ({ offline = false } = {}) => {
      const context = await playwright.chromium.launchPersistentContext(folder, { baseURL, offline })
      collectPageErrors(context, pageErrors)
      taken.push(context)
      return { context, page: context.pages()[0] ?? (await context.newPage()) }
    }
    await use({ take })
    for (const context of taken) await context.close()
    await rm(folder, { recursive: true, force: true })
  },
})

const makeItTheirs = async (page: Page, text: string): Promise<void> => {
  const step = page.getByRole('region', { name: '8×10' })
  await step.getByRole('radio', { name: 'Photo 1' }).check()
  await step.getByRole('textbox', { name: /^Name/ }).fill(text)
}

const expectSaved = async (page: Page): Promise<void> => {
  await expect(cartLine(page, /Package/)).toHaveCount(2)
  for (const name of [/Package B/, /Package E/]) await expect(cartLine(page, name)).toBeVisible()
  // The status is shown once.
  await expect(page.getByText(savedOnDevice, { exact: true })).toHaveCount(1)
  await expect(cartStatus(page)).toContainText(savedOnDevice)
  await expect(page.getByRole('main').getByText('$62.00').last()).toBeVisible()
}

test('A parent loses the network, goes on, closes the browser, and pays when it is back', async ({ phone, site }) => {
  const first = await phone.take()
  await openJob(first.page, 'SPRING')
  await findAda(first.page)
  const place = idsInUrl(first.page)
  const packages = new URL(first.page.url()).pathname
  await waitUntilPageCached(first.page)
  // The browser gets an `offline` event and the proxy is down, so that requests of a worker or of a starting browser fail as well.
  await first.context.setOffline(true)
  site.proxy.setFaultPlan(refuseAll)

  await test.step('choose, customise and add two packages', async () => {
    await choosePackage(first.page, /Package B/)
    await makeItTheirs(first.page, 'Ada B.')
    await addToCart(first.page)
    await first.page.getByRole('link', { name: 'Add another package for Ada' }).click()
    await choosePackage(first.page, /Package E/, 'Pose 1')
    await first.page.getByRole('textbox', { name: /^Name/ }).fill('Ada E.')
    await addToCart(first.page)
    await expectSaved(first.page)
  })
  const cart = first.page.url()
  await first.context.close()

  const { context, page } = await phone.take({ offline: true })
  await test.step('the browser opens again, still offline: everything is there', async () => {
    await page.goto(cart)
    await expectSaved(page)
    await expect(
      cartLine(page, /Package B/)
        .getByRole('definition')
        .first(),
    ).toHaveText('Ada B.')
    expect(site.proxy.requests.filter(({ path, fault }) => path.endsWith('/cart/sync') && fault === 'none')).toEqual([])
  })

  await test.step('every screen opens offline by its address, and again when it is reloaded', async () => {
    const event = `/riverside/${place.jobId}`
    const number = await page.getByRole('link', { name: /^Edit Package B/ }).getAttribute('href')
    const screens: readonly [string, string | RegExp][] = [
      ['/', 'Welcome to Fieldproof'],
      ['/riverside', 'See your pictures'],
      [event, 'Who are you ordering for?'],
      [`${event}/search`, 'Who are you ordering for?'],
      [packages, 'Ada Lovelace'],
      [`${event}/subject/${place.subjectId}/package-options/1`, 'Make it yours'],
      [number ?? '', 'Make it yours'],
      [`${event}/cart`, 'Cart'],
      [`${event}/confirmCart`, 'Waiting for a connection'],
      [`${event}/checkout`, 'Checkout'],
      [`${event}/checkout/review`, 'Review your order'],
      [`${event}/order/FP-00000000`, 'We can’t show this order right now'],
    ]
    for (const [address, heading] of screens) {
      await page.goto(address)
      await expect(page.getByRole('heading', { level: 1, name: heading }), address).toBeVisible()
      await page.reload()
      await expect(page.getByRole('heading', { level: 1, name: heading }), address).toBeVisible()
      await expectImagesLoaded(page)
    }
  })

  await test.step('the studio’s own page leads back to the cart', async () => {
    await page.goto('/riverside')
    await page.getByRole('link', { name: 'Go to your cart (2 packages)' }).click()
    await expectSaved(page)
  })

  await test.step('the network is back: it is sent by itself', async () => {
    await expectSaved(page)
    site.proxy.setFaultPlan(noFaults)
    await context.setOffline(false)
    await expect(cartStatus(page)).toHaveText(savedAtServer)
    expect((await fetchCart(page, place.jobId)).cartPackages).toHaveLength(2)
  })

  await test.step('pay, and keep the confirmation for when the network is gone again', async () => {
    await fillCheckoutForm(page)
    await fillCardForm(page, testCards.good)
    await pay(page)
    const number = await readOrderNumber(page)
    await context.setOffline(true)
    await page.reload()
    await expect(page.getByRole('heading', { level: 1, name: number })).toBeVisible()
    await context.setOffline(false)
  })
})

test('A studio’s page opened again is painted before any script runs, without a network too', async ({
  page,
  context,
}) => {
  await page.goto('/riverside')
  await waitForServiceWorker(page)
  const keptPage = () => page.evaluate(async () => (await (await caches.match('/riverside'))?.text()) ?? '')
  await expect.poll(keptPage).toContain('See your pictures')
  await context.setOffline(true)
  const answer = await page.goto('/riverside')
  expect(answer?.fromServiceWorker()).toBe(true)
  expect(await answer?.text()).toContain('See your pictures')
  await page.getByRole('textbox', { name: 'Access code' }).fill('SPRING')
  await page.getByRole('button', { name: 'Open' }).click()
  await expect(page.getByRole('textbox', { name: 'Access code' })).toHaveValue('SPRING')
  await expect(page.getByText(/no connection right now/).first()).toBeVisible()
})

test('Without a network /login says that there is none, and opens by itself once there is one', async ({
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

test('A phone that lost its visit, and the network before it had another, goes on with what it keeps', async ({
  page,
  context,
  site,
}) => {
  await openAda(page)
  await waitUntilPageCached(page)
  const { jobId } = idsInUrl(page)
  await context.clearCookies()
  // The public reads of the studio's offers pass without a session; every other request fails.
  site.proxy.setFaultPlan(({ method, path }) => (method === 'GET' && /\/jobs\/\d+\//.test(path) ? 'none' : 'refuse'))
  const before = site.proxy.requests.length
  await page.reload()
  const askedAgain = () =>
    site.proxy.requests
      .slice(before)
      .flatMap(({ path, fault }) => (fault === 'none' ? (path.split('/').at(-1) ?? '') : []))
  await expect.poll(askedAgain).toEqual(expect.arrayContaining(['availability', expect.stringMatching(/^packages/)]))
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
