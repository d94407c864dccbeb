import type { Page, Request } from 'playwright/test'
import { recordLayoutShifts, totalLayoutShift } from '#support/browser/layout-shifts.ts'
import { checkScreen } from '#support/browser/screen-checks.ts'
import { expect, test } from '#support/journeys/journey-test.ts'

/** Limits of a first visit with a QR code. */
const maxRequests = 25
const maxKb = 500
const maxImageKb = 250
const maxLayoutShift = 0.02

/** Records the requests of a page. */
const recordRequests = (page: Page): Request[] => {
  const requests: Request[] = []
  page.on('request', (request) => void requests.push(request))
  return requests
}

const kbOf = async (requests: readonly Request[]): Promise<number> => {
  const sizes = await Promise.all(requests.map((request) => request.sizes()))
  return (
    sizes.reduce((sum, { responseHeadersSize, responseBodySize }) => sum + responseHeadersSize + responseBodySize, 0) /
    1024
  )
}

const isApiCall = (request: Request): boolean =>
  ['fetch', 'xhr'].includes(request.resourceType()) && /\/api\//.test(request.url())

// Blocked, because the service worker prefetches images for offline use, which is not part of the visit.
test.use({ serviceWorkers: 'block' })

for (const { code, heading, isShown } of [
  { code: 'ADALVL', heading: 'Ada Lovelace', isShown: 'Package B' },
  { code: 'PREPAY', heading: 'Who are you ordering for?', isShown: 'Your child' },
  { code: 'RAPIDS', heading: 'Who are you ordering for?', isShown: 'See the whole gallery' },
]) {
  test(`A first visit with the code ${code} needs few requests, no API call and no layout shift`, async ({ page }) => {
    await page.addInitScript(recordLayoutShifts)
    const requests = recordRequests(page)
    await page.goto(`/riverside/code/${code}`)
    await expect(page.getByRole('heading', { name: heading })).toBeVisible()
    await expect(page.getByText(isShown).first()).toBeVisible()
    await page.waitForLoadState('networkidle')
    const images = requests.filter((request) => request.resourceType() === 'image')
    const [kb, imageKb] = [await kbOf(requests), await kbOf(images)]
    process.stdout.write(`     ${requests.length} requests, ${kb.toFixed(0)} KB, images ${imageKb.toFixed(0)} KB\n`)
    expect(requests.filter(isApiCall).map((request) => request.url())).toEqual([])
    expect(requests.length).toBeLessThanOrEqual(maxRequests)
    expect(kb).toBeLessThanOrEqual(maxKb)
    expect(imageKb).toBeLessThanOrEqual(maxImageKb)
    expect(await totalLayoutShift(page)).toBeLessThanOrEqual(maxLayoutShift)
  })
}

test.describe(() => {
  test.use({ javaScriptEnabled: false })

  for (const { address, heading } of [
    { address: '/', heading: 'Welcome to Fieldproof' },
    { address: '/riverside', heading: 'Find your photos' },
    { address: '/riverside/code/ADALVL', heading: 'Ada Lovelace' },
  ]) {
    test(`${address} is painted without any script or style sheet`, async ({ page }) => {
      const requests = recordRequests(page)
      await page.goto(address)
      const headingElement = page.locator('h1', { hasText: heading })
      await expect(headingElement).toBeVisible()
      await expect(headingElement).toHaveCSS('margin-top', '0px')
      const paths = requests.map((request) => new URL(request.url()).pathname)
      expect(paths.filter((path) => path.startsWith('/assets/'))).toEqual([])
    })
  }
})

test('The app replaces the first view although the device’s database does not answer', async ({ page }) => {
  await page.addInitScript(() => {
    indexedDB.open = () => new EventTarget() as IDBOpenDBRequest // a request without events
  })
  await page.goto('/riverside/code/ADALVL')
  await expect(page.locator('#first-view')).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

/** Holds back all scripts of the page. Returns a function that lets them load. */
const holdScripts = async (page: Page): Promise<() => void> => {
  const released = Promise.withResolvers<void>()
  await page.route(/\/assets\/[^/]+\.js$/, async (route) => {
    await released.promise
    await route.continue()
  })
  return released.resolve
}

test.describe(() => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('The packages of a code are shown before any script runs, and stay in place when the app replaces them', async ({
    page,
  }) => {
    await page.addInitScript(recordLayoutShifts)
    const loadScripts = await holdScripts(page)
    const requests = recordRequests(page)
    await page.goto('/riverside/code/ADALVL')
    await expect(page.getByRole('button', { name: /^Choose: Package B/ })).toBeVisible()
    const boxOfCard = () => page.getByRole('article').first().boundingBox()
    const prerenderedBox = await boxOfCard()
    loadScripts()
    await expect(page.locator('#first-view')).toHaveCount(0)
    expect(await boxOfCard()).toEqual(prerenderedBox)
    expect(await totalLayoutShift(page)).toBeLessThanOrEqual(maxLayoutShift)
    expect(requests.filter((request) => request.url().includes('/preview-'))).toHaveLength(1)
  })
})

test('The page of a code is accessible before any script runs', async ({ page }) => {
  await holdScripts(page)
  await page.goto('/riverside/code/ADALVL')
  await checkScreen(page, '14-packages-without-scripts')
})

test('A package that is tapped before any script runs opens once the app runs', async ({ page }) => {
  const loadScripts = await holdScripts(page)
  await page.goto('/riverside/code/ADALVL')
  const button = page.getByRole('button', { name: /^Choose: Package B/ })
  await page.getByRole('button', { name: /^Choose: Package A/ }).click()
  await button.click()
  await expect(button).toHaveText('Opening…')
  await expect(page.getByRole('status').filter({ visible: true })).toHaveText('Opening…')
  await expect(page.getByRole('button', { name: /^Choose: Package A/ })).toHaveText('Choose')
  loadScripts()
  await expect(page).toHaveURL(/\/package-options\//)
  await expect(page.getByRole('heading', { name: 'Make it yours' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('Package B')
})

const noConnection = 'No connection. Please try again'

test('If the scripts cannot be loaded, a tapped package can be tapped again, and the page says why', async ({
  page,
}) => {
  const scripts = /\/assets\/[^/]+\.js$/
  const tapped = Promise.withResolvers<void>()
  await page.route(scripts, async (route) => {
    await tapped.promise
    await route.abort()
  })
  await page.goto('/riverside/code/ADALVL')
  const button = page.getByRole('button', { name: /^Choose: Package B/ })
  await button.click()
  await expect(button).toHaveText('Opening…')
  tapped.resolve()
  await expect(page.getByRole('status').filter({ visible: true })).toHaveText(noConnection)
  await expect(button).toHaveText('Choose')
  await page.unroute(scripts)
  await button.click()
  await expect(page.locator('#first-view')).toHaveCount(0)
  await button.click()
  await expect(page.getByRole('heading', { name: 'Make it yours' })).toBeVisible()
})

test('If the app does not run in time, a tapped package is forgotten, and the page says why', async ({ page }) => {
  await page.clock.install()
  const loadScripts = await holdScripts(page)
  await page.goto('/riverside/code/ADALVL')
  const button = page.getByRole('button', { name: /^Choose: Package B/ })
  await button.click()
  await page.clock.fastForward(19_000)
  await expect(button).toHaveText('Opening…')
  await page.clock.fastForward(1_000)
  await expect(page.getByRole('status').filter({ visible: true })).toHaveText(noConnection)
  await expect(button).toHaveText('Choose')
  loadScripts()
  await expect(page.locator('#first-view')).toHaveCount(0)
  await expect(page).toHaveURL(/\/select-package$/)
})
