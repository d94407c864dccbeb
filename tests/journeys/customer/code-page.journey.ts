import type { Page, Request } from 'playwright/test'
import { recordLayoutShifts, totalLayoutShift } from '#support/browser/layout-shifts.ts'
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
