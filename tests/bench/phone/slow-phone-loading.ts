import { type Browser, type BrowserContext, devices, type Page } from 'playwright'
import { assetCache } from '#local/store/cache-names.ts'
import { waitUntilPageCached } from '#support/browser/offline-readiness.ts'
import { idsInUrl, openAda } from '#support/journeys/customer-steps.ts'
import { median } from '#support/measurement/median.ts'
import type { NetworkProxy } from '#support/network/network-proxy.ts'
import { unthrottled } from '#support/network/throttled-writer.ts'

/** A figure and its limit. */
export type LimitedFigure = { name: string; value: number; limit: number; unit: string }

/** A slow 4G network (150 ms round trip, 1.6 Mbit/s) and a processor four times slower than this one. */
export const slow4G = { roundTripMs: 150, bytesPerSecond: 200_000 }
export const cpuSlowdown = 4

const runCount = 5

type PageTimings = { lcp: number; shift: number; readyAt: number }

/** Records the page's largest contentful paint, its layout shifts, and when a service worker controlled it. */
const observePage = (): void => {
  const timings = { lcp: 0, shift: 0, readyAt: 0 }
  Object.assign(window, { timings })
  new PerformanceObserver((list) => {
    timings.lcp = list.getEntries().at(-1)?.startTime ?? timings.lcp
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) timings.shift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
  void navigator.serviceWorker?.ready.then(() => {
    timings.readyAt = performance.now()
  })
}

const openSlowPhone = async (browser: Browser, baseURL: string): Promise<{ context: BrowserContext; page: Page }> => {
  const context = await browser.newContext({ ...devices['Pixel 7'], viewport: { width: 390, height: 844 }, baseURL })
  await context.addInitScript(observePage)
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
  return { context, page }
}

/** Opens a URL. Returns the page's timings once all visible images are loaded and a service worker controls it. */
const measurePage = async (page: Page, path: string): Promise<PageTimings> => {
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForFunction(() => (window as unknown as { timings: PageTimings }).timings.readyAt > 0) // set by `observePage`
  await page.evaluate(async () => {
    const isVisible = (image: HTMLImageElement) => image.getBoundingClientRect().top < window.innerHeight
    await Promise.allSettled([...document.images].filter(isVisible).map((image) => image.decode()))
    // A paint is reported after the frame in which it happened.
    for (let frame = 0; frame < 3; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve))
  })
  return page.evaluate(() => ({ ...(window as unknown as { timings: PageTimings }).timings })) // set by `observePage`
}

/** A page with only a heading, cached by the same service worker: the baseline of a visit without the product. */
const barePath = '/assets/bare.html'
const cacheBarePage = ({ cache, path }: { cache: string; path: string }): Promise<void> =>
  caches.open(cache).then((assets) => {
    const page = '<!doctype html><meta name="viewport" content="width=device-width"><h1>Find your photos</h1>'
    return assets.put(path, new Response(page, { headers: { 'content-type': 'text/html' } }))
  })

type PhoneMeasurement = { first: PageTimings; barePage: PageTimings; repeats: PageTimings[]; offline: PageTimings[] }

/** One customer's phone: the studio's first visit; then, with Ada's images cached, the studio and her packages, online and offline. */
const measureOnePhone = async (browser: Browser, proxy: NetworkProxy): Promise<PhoneMeasurement> => {
  const { context, page } = await openSlowPhone(browser, proxy.url)
  proxy.setThrottle(slow4G)
  const first = await measurePage(page, '/riverside')
  proxy.setThrottle(unthrottled)
  await openAda(page)
  await waitUntilPageCached(page)
  const { jobId, subjectId } = idsInUrl(page)
  const paths = ['/riverside', `/riverside/${jobId}/subject/${subjectId}/select-package`]
  await page.evaluate(cacheBarePage, { cache: assetCache, path: barePath })
  proxy.setThrottle(slow4G)
  const barePage = await measurePage(page, barePath)
  const repeats: PageTimings[] = []
  for (const path of paths) repeats.push(await measurePage(page, path))
  await context.setOffline(true)
  const offline: PageTimings[] = []
  for (const path of paths) offline.push(await measurePage(page, path))
  await context.close()
  return { first, barePage, repeats, offline }
}

/** Loading times on a slow phone: medians of five runs, in milliseconds. */
export const measureSlowPhone = async (browser: Browser, proxy: NetworkProxy): Promise<LimitedFigure[]> => {
  const measurements: PhoneMeasurement[] = []
  for (let run = 0; run < runCount; run += 1) measurements.push(await measureOnePhone(browser, proxy))
  proxy.setThrottle(unthrottled)
  const createMedianFigure = (
    name: string,
    pick: (measurement: PhoneMeasurement) => number | undefined,
    limit: number,
    unit = 'ms',
  ): LimitedFigure => {
    const value = median(measurements.map((measurement) => pick(measurement) ?? Number.NaN))
    return { name, value, limit, unit }
  }
  const listShifts = ({ first, repeats, offline }: PhoneMeasurement) =>
    [first, ...repeats, ...offline].map(({ shift }) => shift)
  return [
    createMedianFigure('LCP of a first visit, studio', ({ first }) => first.lcp, 2_000),
    createMedianFigure('LCP of a repeat visit, a bare page', ({ barePage }) => barePage.lcp, 500),
    createMedianFigure('LCP of a repeat visit, studio', ({ repeats }) => repeats[0]?.lcp, 500),
    createMedianFigure('LCP of a repeat visit, packages', ({ repeats }) => repeats[1]?.lcp, 500),
    createMedianFigure('LCP offline, studio', ({ offline }) => offline[0]?.lcp, 500),
    createMedianFigure('LCP offline, packages', ({ offline }) => offline[1]?.lcp, 500),
    createMedianFigure(
      'CLS, the largest of these pages',
      (measurement) => Math.max(...listShifts(measurement)),
      0.05,
      '',
    ),
    createMedianFigure('ready for offline use after', ({ first }) => first.readyAt, 10_000),
  ]
}
