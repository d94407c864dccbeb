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

const taps = 24

type Timed = { interactionId: number; duration: number }

/** Records the duration of each interaction until its frame was shown, as the browser reports it. */
const observeInteractions = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const heard: Timed[] = []
    Object.assign(window, { heard })
    const note = (list: PerformanceObserverEntryList) => {
      for (const entry of list.getEntries()) heard.push(entry as unknown as Timed) // true of entries of type 'event'
    }
    new PerformanceObserver(note).observe({
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
  const heard = await page.evaluate(
    () =>
      new Promise<Timed[]>((resolve) =>
        requestAnimationFrame(() =>
          requestAnimationFrame(() => {
            const all = (window as unknown as { heard: Timed[] }).heard // set by `observeInteractions`
            resolve(all.splice(0).map(({ interactionId, duration }) => ({ interactionId, duration })))
          }),
        ),
      ),
  )
  return Math.max(16, ...heard.filter(({ interactionId }) => interactionId > 0).map(({ duration }) => duration))
}

type Target = (turn: number) => Locator | Promise<Locator>

const measureTarget = async (page: Page, name: string, targets: Target): Promise<TapLatency> => {
  const finger = await page.context().newCDPSession(page)
  const took: number[] = []
  // A busy machine reports a frame late: what arrives before the next tap belongs to the last one.
  const hear = async () => took.push(Math.max(took.pop() ?? 0, await longestInteraction(page)))
  for (let turn = 0; turn < taps; turn += 1) {
    const point = await findTouchPoint(await targets(turn))
    if (turn > 0) await hear()
    await touch(finger, point)
    took.push(0)
    await hear()
  }
  await finger.detach()
  return { name, count: taps, median: quantile(took, 0.5), p95: quantile(took, 0.95) }
}

/** One of many images in a row, scrolled into view by touch: images far away are not in the DOM. */
const imageInStrip = async (choice: Locator, index: number): Promise<Locator> => {
  await choice
    .locator('> div')
    .first()
    .evaluate((row, index) => {
      const total = Number(row.querySelector('input')?.ariaSetSize)
      const sheets = [...row.children]
      sheets[Math.floor(index / Math.ceil(total / sheets.length))]?.scrollIntoView({ block: 'nearest' })
    }, index)
  return choice.locator(`[aria-posinset="${index + 1}"]`)
}

const open = async (page: Page, path: string, ready: Locator): Promise<void> => {
  await page.goto(path)
  await ready.waitFor()
  await observeInteractions(page)
}

// Measures a bare page's tap, the browser's own part of every figure.
const bare = '<label style="display: block; padding: 4rem"><input type="checkbox"> A page of nothing else</label>'

const tapBare = async (page: Page): Promise<TapLatency> => {
  await page.setContent(bare)
  await observeInteractions(page)
  return measureTarget(page, 'a page of nothing else', () => page.getByRole('checkbox'))
}

/** Taps every control of the large job's screens, on a processor four times slower than this one. */
const tapEverywhere = async (page: Page): Promise<TapLatency[]> => {
  await page.goto('/riverside/code/ADALVL')
  await page.getByRole('heading', { name: 'Ada Lovelace', exact: true }).waitFor()
  const [, , jobId, , subjectId] = new URL(page.url()).pathname.split('/')
  const place = `/riverside/${jobId}`
  await page.waitForLoadState('networkidle')
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
  const seen: TapLatency[] = [await tapBare(page)]
  const poses = page.getByRole('group', { name: 'Choose a pose' })
  await open(page, `${place}/subject/${subjectId}/select-package`, poses.getByRole('radio').first())
  const pose = (turn: number) => imageInStrip(poses, turn % 2 ? turn : 1 + turn * 20)
  seen.push(await measureTarget(page, `a pose of ${largeJob.images}`, pose))
  const choices = page.getByRole('button', { name: /^Choose(d|n)?: / })
  seen.push(await measureTarget(page, `a package of ${largeJob.packages}`, (turn) => choices.nth(turn)))
  const offered = await (await page.request.get(`/api/customer/jobs/${jobId}/packages`)).json()
  const [first] = offered.data
  const photos = page.locator('fieldset').first()
  await open(page, `${place}/subject/${subjectId}/package-options/${first.id}`, photos.getByRole('radio').first())
  const photo = (turn: number) => imageInStrip(photos, 1 + turn * 20)
  seen.push(await measureTarget(page, `a photo of ${largeJob.images} for a print`, photo))
  const mutations = addLineMutations(first, Number(subjectId))
  const sent = await page.request.post(`/api/customer/jobs/${jobId}/cart/sync`, {
    data: { orderMethod: 'gallery', mutations },
  })
  const told = await sent.text()
  if (!sent.ok() || told.includes('"refused"')) throw new Error(`the cart was not filled: ${told.slice(0, 300)}`)
  const more = page.getByRole('button', { name: /^One more / })
  // Checkout reads the cart from the server.
  await open(page, `${place}/checkout`, page.getByRole('heading', { name: 'Checkout' }))
  await open(page, `${place}/cart`, more.first())
  seen.push(
    await measureTarget(page, `one more of a line of ${largeJob.lines}`, (turn) =>
      more.nth((turn * 7) % largeJob.lines),
    ),
  )
  return seen
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
    return await tapEverywhere(await context.newPage())
  } finally {
    await browser.close()
    await product.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
