import { type Browser, devices } from 'playwright'
import { median } from '#support/measurement/median.ts'
import type { NetworkProxy } from '#support/network/network-proxy.ts'
import { unthrottled } from '#support/network/throttled-writer.ts'
import { cpuSlowdown, type LimitedFigure } from './slow-phone-loading.ts'

/** A weak signal: 400 ms round trip, 400 kbit/s. */
const weakNetwork = { roundTripMs: 400, bytesPerSecond: 50_000 }

const runCount = 5

type CardTimings = { painted: number; packages: number; running: number; opened: number; sawCodeForm: boolean }

/**
 * Records when the page first shows something, when its packages are shown, when the app runs, when a package opens that
 * was tapped as soon as it was shown, and whether the form for codes was ever shown.
 */
const observeCard = (): void => {
  const timings = { painted: 0, packages: 0, running: 0, opened: 0, sawCodeForm: false }
  Object.assign(window, { timings })
  new PerformanceObserver((list) => {
    for (const { name, startTime } of list.getEntries())
      if (name === 'first-contentful-paint') timings.painted = startTime
  }).observe({ type: 'paint', buffered: true })
  const isVisible = (element: Element) => element.checkVisibility({ visibilityProperty: true })
  const findPackage = () =>
    [...document.querySelectorAll('button')].find(
      (button) => /^Choose: /.test(button.ariaLabel ?? '') && isVisible(button),
    )
  const look = () => {
    if (timings.packages === 0) {
      const button = findPackage()
      if (button) timings.packages = performance.now()
      button?.click()
    }
    const isRunning = timings.packages > 0 && !document.getElementById('first-view')
    if (isRunning && timings.running === 0) timings.running = performance.now()
    const heading = document.querySelector('#root h1')
    if (heading?.textContent === 'Make it yours' && timings.opened === 0) timings.opened = performance.now()
    const labels = [...document.querySelectorAll('label')]
    if (labels.some((label) => label.textContent === 'Access code' && isVisible(label))) timings.sawCodeForm = true
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

const openCard = async (browser: Browser, proxy: NetworkProxy): Promise<CardTimings> => {
  const context = await browser.newContext({ ...devices['Pixel 7'], viewport: { width: 390, height: 844 } })
  await context.addInitScript(observeCard)
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
  proxy.setThrottle(weakNetwork)
  await page.goto(`${proxy.url}/riverside/code/ADALVL`)
  // Set by `observeCard`.
  await page.waitForFunction(() => (window as unknown as { timings: CardTimings }).timings.opened > 0)
  const timings = await page.evaluate(() => (window as unknown as { timings: CardTimings }).timings)
  await context.close()
  return timings
}

/** The first visit by the QR code of a photo card on a weak signal and a slow phone: medians of five runs, in milliseconds. */
export const measureSlowCard = async (browser: Browser, proxy: NetworkProxy): Promise<LimitedFigure[]> => {
  const runs: CardTimings[] = []
  for (let run = 0; run < runCount; run += 1) runs.push(await openCard(browser, proxy))
  proxy.setThrottle(unthrottled)
  const medianFigure = (name: string, time: 'painted' | 'packages' | 'running' | 'opened', limit: number) => ({
    ...{ name: `QR card, weak signal: ${name}`, limit, unit: 'ms' },
    // The observer runs before the frame is painted, so that nothing counts as shown before the first paint.
    value: median(runs.map((timings) => Math.max(timings[time], timings.painted))),
  })
  return [
    medianFigure('branded page', 'painted', 1_500),
    medianFigure('packages shown', 'packages', 4_000),
    // Before packages were part of the page, they could be used after 9.8 s, and not be seen earlier.
    medianFigure('app runs', 'running', 9_800),
    medianFigure('package opens that was tapped at once', 'opened', 11_000),
    {
      name: 'QR card, weak signal: visits that showed the form for codes',
      ...{ value: runs.filter(({ sawCodeForm }) => sawCodeForm).length, limit: 0, unit: '' },
    },
  ]
}
