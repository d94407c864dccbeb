import type { Browser, Page } from 'playwright'
import { maxMutationsPerSync } from '#contract/customer/cart-calls.ts'
import { listPackages } from '#contract/customer/discovery-calls.ts'
import { pathOf } from '#contract/shapes/call.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { waitUntilPageCached } from '#support/browser/offline-readiness.ts'
import { choosePackage, idsInUrl, openAda } from '#support/journeys/customer-steps.ts'
import { quantile } from '#support/measurement/quantile.ts'
import type { NetworkProxy } from '#support/network/network-proxy.ts'
import { addLineMutations } from './large-job.ts'
import { cpuSlowdown, type LimitedFigure } from './slow-phone-loading.ts'
import { findTouchPoint, touch } from './touch-input.ts'

/** The adds fill the cart to its limit of `most` lines. */
const [most, adds] = [200, 20]

declare global {
  interface Window {
    written: (tookMs: number) => void
  }
}

/** Reports, in milliseconds, when the transaction that stores a tap on "Add to cart" has committed, counted from the tap's event. */
const reportCommits = (): void => {
  const noted = { tappedAt: 0 }
  const isAdd = ({ target }: Event) =>
    target instanceof Element && target.closest('button')?.textContent === 'Add to cart'
  document.addEventListener(
    'click',
    (event) => {
      if (isAdd(event)) noted.tappedAt = performance.now()
    },
    { capture: true },
  )
  const transaction = IDBDatabase.prototype.transaction
  IDBDatabase.prototype.transaction = function (...given) {
    const begun = transaction.apply(this, given)
    const writes = begun.mode === 'readwrite' && begun.objectStoreNames.contains('outbox')
    const note = () => {
      if (noted.tappedAt > 0) window.written(performance.now() - noted.tappedAt)
      noted.tappedAt = 0
    }
    if (writes) begun.addEventListener('complete', note)
    return begun
  }
}

/** Waits until the page is idle, as it is after a customer has looked at a package. */
const waitUntilIdle = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Add to cart' }).waitFor()
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
}

const fill = async (page: Page, jobId: number, subjectId: number): Promise<void> => {
  const { data } = await (await page.request.get(pathOf(listPackages, { jobId }, { orderMethod: 'gallery' }))).json()
  const [first] = data as Package[]
  if (!first) throw new Error('nothing is on offer')
  const mutations = addLineMutations(first, subjectId, most - adds)
  for (let from = 0; from < mutations.length; from += maxMutationsPerSync) {
    const sent = await page.request.post(`/api/customer/jobs/${jobId}/cart/sync`, {
      data: { orderMethod: 'gallery', mutations: mutations.slice(from, from + maxMutationsPerSync) },
    })
    const told = await sent.text()
    if (!sent.ok() || told.includes('"refused"')) throw new Error(`the cart was not filled: ${told.slice(0, 300)}`)
  }
}

/** Time from "Add to cart" to the commit, with many lines in the cart and a slow processor. Returns the 95th percentile. */
export const measureAddToCart = async (browser: Browser, line: NetworkProxy): Promise<LimitedFigure> => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, baseURL: line.url, hasTouch: true })
  const took: number[] = []
  let heard = (): void => {}
  await context.exposeFunction('written', (tookMs: number) => {
    took.push(tookMs)
    heard()
  })
  await context.addInitScript(reportCommits)
  const page = await context.newPage()
  await openAda(page)
  await waitUntilPageCached(page)
  const { jobId, subjectId } = idsInUrl(page)
  await fill(page, jobId, subjectId)
  await choosePackage(page, /Package F/)
  const options = page.url()
  await page.goto(`/riverside/${jobId}/cart`)
  await page
    .getByRole('article')
    .nth(most - adds - 1)
    .waitFor({ state: 'attached' })
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
  for (let n = 0; n < adds; n += 1) {
    await page.goto(options)
    await waitUntilIdle(page)
    const button = await findTouchPoint(page.getByRole('button', { name: 'Add to cart' }))
    // The page gets no queries meanwhile, because they would count as its own work.
    const written = new Promise<void>((resolve) => {
      heard = resolve
    })
    await touch(session, button)
    await written
    await page.getByRole('heading', { level: 1, name: 'Cart', exact: true }).waitFor()
  }
  await context.close()
  if (took.length < adds) throw new Error(`${took.length} of ${adds} adds were written down`)
  return {
    name: `“Add to cart” written down, ${most - adds} to ${most} lines, p95`,
    value: quantile(took, 0.95),
    limit: 50,
    unit: 'ms',
  }
}
