import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, devices, type Locator, type Page } from 'playwright'
import { chromiumArguments, findChromium } from '#support/browser/chromium.ts'
import { quantile } from '#support/measurement/quantile.ts'
import { changeProductData } from '#support/product/product-database.ts'
import { startProduct } from '#support/product/start-product.ts'
import { addLineMutations, enlargeDemoJob, largeJob } from './large-job.ts'
import { cpuSlowdown } from './slow-phone-loading.ts'
import { findTouchPoint, touch } from './touch-input.ts'

/** Milliseconds from a tap to the next frame: median and 95th percentile. */
export type TapLatency = { name: string; count: number; median: number; p95: number }

const tapCount = 24

type TimedInteraction = { interactionId: number; duration: number }

/** Records the duration of each interaction until its frame was shown, as the browser reports it. */
const observeInteractions = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const interactions: TimedInteraction[] = []
    Object.assign(window, { interactions })
    const recordEntries = (list: PerformanceObserverEntryList) => {
      // Entries of type 'event' have these properties.
      for (const entry of list.getEntries()) interactions.push(entry as unknown as TimedInteraction)
    }
    new PerformanceObserver(recordEntries).observe({
      type: 'event',
      durationThreshold: 16,
      buffered: false,
    } as PerformanceObserverInit) // the threshold is newer than the types
  })

/**
 * Duration of the longest event among the interactions since the last call. The browser does not report those below 16 ms; they count as
 * 16.
 */
const longestInteraction = async (page: Page): Promise<number> => {
  // After two frames every shown interaction has been reported.
  const interactions = await page.evaluate(
    () =>
      new Promise<TimedInteraction[]>((resolve) =>
        requestAnimationFrame(() =>
          requestAnimationFrame(() => {
            const recorded = (window as unknown as { interactions: TimedInteraction[] }).interactions // set by `observeInteractions`
            resolve(recorded.splice(0).map(({ interactionId, duration }) => ({ interactionId, duration })))
          }),
        ),
      ),
  )
  return Math.max(16, ...interactions.filter(({ interactionId }) => interactionId > 0).map(({ duration }) => duration))
}

type GetTarget = (index: number) => Locator | Promise<Locator>

const measureTarget = async (page: Page, name: string, getTarget: GetTarget): Promise<TapLatency> => {
  const session = await page.context().newCDPSession(page)
  const durations: number[] = []
  // A busy machine reports a frame late, so a duration that arrives before the next tap belongs to the last tap.
  const addLatest = async () => durations.push(Math.max(durations.pop() ?? 0, await longestInteraction(page)))
  for (let index = 0; index < tapCount; index += 1) {
    const point = await findTouchPoint(await getTarget(index))
    if (index > 0) await addLatest()
    await touch(session, point)
    durations.push(0)
    await addLatest()
  }
  await session.detach()
  return { name, count: tapCount, median: quantile(durations, 0.5), p95: quantile(durations, 0.95) }
}

/** Returns one of many images in a row after it is scrolled into view, because images far away are not in the DOM. */
const scrollToImage = async (imageGroup: Locator, index: number): Promise<Locator> => {
  await imageGroup
    .locator('> div')
    .first()
    .evaluate((row, index) => {
      const total = Number(row.querySelector('input')?.ariaSetSize)
      const blocks = [...row.children]
      blocks[Math.floor(index / Math.ceil(total / blocks.length))]?.scrollIntoView({ block: 'nearest' })
    }, index)
  return imageGroup.locator(`[aria-posinset="${index + 1}"]`)
}

const openPage = async (page: Page, path: string, element: Locator): Promise<void> => {
  await page.goto(path)
  await element.waitFor()
  await observeInteractions(page)
}

// A page without the product. A tap on it shows the browser's own part of every figure.
const barePageHtml = '<label style="display: block; padding: 4rem"><input type="checkbox"> A bare page</label>'

const measureBarePage = async (page: Page): Promise<TapLatency> => {
  await page.setContent(barePageHtml)
  await observeInteractions(page)
  return measureTarget(page, 'a bare page', () => page.getByRole('checkbox'))
}

/** Taps images, packages and quantities on the large job's screens, on a processor four times slower than this one. */
const measureAllTargets = async (page: Page): Promise<TapLatency[]> => {
  await page.goto('/riverside/code/ADALVL')
  await page.waitForURL(/\/select-package$/)
  const [, , jobId, , subjectId] = new URL(page.url()).pathname.split('/')
  const jobUrl = `/riverside/${jobId}`
  await page.waitForLoadState('networkidle')
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
  const latencies: TapLatency[] = [await measureBarePage(page)]
  const poseGroup = page.getByRole('group', { name: 'Choose a photo' })
  await openPage(page, `${jobUrl}/subject/${subjectId}/select-package`, poseGroup.getByRole('radio').first())
  const getPose = (index: number) => scrollToImage(poseGroup, index % 2 ? index : 1 + index * 20)
  latencies.push(await measureTarget(page, `a pose of ${largeJob.images}`, getPose))
  const packageButtons = page.getByRole('button', { name: /^Choose(d|n)?: / })
  latencies.push(await measureTarget(page, `a package of ${largeJob.packages}`, (index) => packageButtons.nth(index)))
  const packages = await (await page.request.get(`/api/customer/jobs/${jobId}/packages`)).json()
  const [firstPackage] = packages.data
  const photoGroup = page.locator('fieldset').first()
  await openPage(
    page,
    `${jobUrl}/subject/${subjectId}/package-options/${firstPackage.id}`,
    photoGroup.getByRole('radio').first(),
  )
  const getPhoto = (index: number) => scrollToImage(photoGroup, 1 + index * 20)
  latencies.push(await measureTarget(page, `a photo of ${largeJob.images} for a print`, getPhoto))
  const mutations = addLineMutations(firstPackage, Number(subjectId))
  const response = await page.request.post(`/api/customer/jobs/${jobId}/cart/sync`, {
    data: { orderMethod: 'gallery', mutations },
  })
  const body = await response.text()
  if (!response.ok() || body.includes('"refused"')) throw new Error(`the cart was not filled: ${body.slice(0, 300)}`)
  const increaseButtons = page.getByRole('button', { name: /^One more / })
  // Checkout reads the cart from the server.
  await openPage(page, `${jobUrl}/checkout`, page.getByRole('heading', { name: 'Checkout' }))
  await openPage(page, `${jobUrl}/cart`, increaseButtons.first())
  latencies.push(
    await measureTarget(page, `the quantity of one of ${largeJob.lines} lines`, (index) =>
      increaseButtons.nth((index * 7) % largeJob.lines),
    ),
  )
  return latencies
}

/** Tap latencies in a large job: 500 images of one subject, 60 packages, 40 lines in the cart. */
export const measureTapLatency = async (): Promise<TapLatency[]> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'fieldproof-taps-'))
  await (await startProduct({ dataDir })).stop()
  await changeProductData(dataDir, enlargeDemoJob)
  const product = await startProduct({ dataDir })
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments })
  try {
    const phone = { ...devices['Pixel 7'], viewport: { width: 390, height: 844 } }
    const context = await browser.newContext({ ...phone, baseURL: product.url })
    return await measureAllTargets(await context.newPage())
  } finally {
    await browser.close()
    await product.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
