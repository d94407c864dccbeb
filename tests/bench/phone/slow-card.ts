import { type Browser, devices } from 'playwright'
import { median } from '#support/measurement/median.ts'
import type { NetworkProxy } from '#support/network/network-proxy.ts'
import { unthrottled } from '#support/network/throttled-writer.ts'
import { cpuSlowdown, type LimitedFigure } from './slow-phone-loading.ts'

/** A weak signal: 400 ms round trip, 400 kbit/s. */
const weakNetwork = { roundTripMs: 400, bytesPerSecond: 50_000 }

const runCount = 5

type CardTimings = { painted: number; packages: number; sawCodeForm: boolean }

/** Records when the page first shows something, when packages can be chosen, and whether the form for codes was ever shown. */
const observeCard = (): void => {
  const timings = { painted: 0, packages: 0, sawCodeForm: false }
  Object.assign(window, { timings })
  new PerformanceObserver((list) => {
    for (const { name, startTime } of list.getEntries())
      if (name === 'first-contentful-paint') timings.painted = startTime
  }).observe({ type: 'paint', buffered: true })
  const look = () => {
    const buttons = [...document.querySelectorAll('button')]
    const isChoosable = buttons.some((button) => /^Choose: /.test(button.ariaLabel ?? button.textContent ?? ''))
    if (isChoosable && timings.packages === 0) timings.packages = performance.now()
    const labels = [...document.querySelectorAll('label')]
    if (labels.some((label) => label.textContent === 'Access code' && label.checkVisibility()))
      timings.sawCodeForm = true
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
  await page.waitForFunction(() => (window as unknown as { timings: CardTimings }).timings.packages > 0)
  const timings = await page.evaluate(() => (window as unknown as { timings: CardTimings }).timings)
  await context.close()
  return timings
}

/** The first visit by the QR code of a photo card on a weak signal and a slow phone: medians of five runs, in milliseconds. */
export const measureSlowCard = async (browser: Browser, proxy: NetworkProxy): Promise<LimitedFigure[]> => {
  const runs: CardTimings[] = []
  for (let run = 0; run < runCount; run += 1) runs.push(await openCard(browser, proxy))
  proxy.setThrottle(unthrottled)
  return [
    {
      name: 'QR card, weak signal: branded page',
      value: median(runs.map(({ painted }) => painted)),
      limit: 1500,
      unit: 'ms',
    },
    {
      name: 'QR card, weak signal: packages',
      value: median(runs.map(({ packages }) => packages)),
      limit: 4000,
      unit: 'ms',
    },
    {
      name: 'QR card, weak signal: visits that showed the form for codes',
      ...{ value: runs.filter(({ sawCodeForm }) => sawCodeForm).length, limit: 0, unit: '' },
    },
  ]
}
