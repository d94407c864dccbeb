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

/** The timed adds fill the cart up to `maxLines`. */
const [maxLines, addCount] = [200, 20]

declare global {
  interface Window {
    reportCommit: (tookMs: number) => void
  }
}

/** Reports the milliseconds from each tap on "Add to cart" to the commit of the transaction that stores it. */
const reportCommits = (): void => {
  const lastTap = { tappedAt: 0 }
  const isAdd = ({ target }: Event) =>
    target instanceof Element && target.closest('button')?.textContent === 'Add to cart'
  document.addEventListener(
    'click',
    (event) => {
      if (isAdd(event)) lastTap.tappedAt = performance.now()
    },
    { capture: true },
  )
  const transaction = IDBDatabase.prototype.transaction
  IDBDatabase.prototype.transaction = function (...args) {
    const newTransaction = transaction.apply(this, args)
    const storesTap = newTransaction.mode === 'readwrite' && newTransaction.objectStoreNames.contains('outbox')
    const reportCommit = () => {
      if (lastTap.tappedAt > 0) window.reportCommit(performance.now() - lastTap.tappedAt)
      lastTap.tappedAt = 0
    }
    if (storesTap) newTransaction.addEventListener('complete', reportCommit)
    return newTransaction
  }
}

/** Waits until the page is idle, as it is after a customer has looked at a package. */
const waitUntilIdle = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Add to cart' }).waitFor()
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
}

const fillCart = async (page: Page, jobId: number, subjectId: number): Promise<void> => {
  const { data } = await (await page.request.get(pathOf(listPackages, { jobId }, { orderMethod: 'gallery' }))).json()
  const [firstPackage] = data as Package[]
  if (!firstPackage) throw new Error('the job offers no package')
  const mutations = addLineMutations(firstPackage, subjectId, maxLines - addCount)
  for (let start = 0; start < mutations.length; start += maxMutationsPerSync) {
    const response = await page.request.post(`/api/customer/jobs/${jobId}/cart/sync`, {
      data: { orderMethod: 'gallery', mutations: mutations.slice(start, start + maxMutationsPerSync) },
    })
    const body = await response.text()
    if (!response.ok() || body.includes('"refused"')) throw new Error(`the cart was not filled: ${body.slice(0, 300)}`)
  }
}

/** Time from "Add to cart" to the commit, with many lines in the cart and a slow processor. Returns the 95th percentile. */
export const measureAddToCart = async (browser: Browser, proxy: NetworkProxy): Promise<LimitedFigure> => {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    baseURL: proxy.url,
    hasTouch: true,
  })
  const times: number[] = []
  let onCommit = (): void => {}
  await context.exposeFunction('reportCommit', (tookMs: number) => {
    times.push(tookMs)
    onCommit()
  })
  await context.addInitScript(reportCommits)
  const page = await context.newPage()
  await openAda(page)
  await waitUntilPageCached(page)
  const { jobId, subjectId } = idsInUrl(page)
  await fillCart(page, jobId, subjectId)
  await choosePackage(page, /Package F/)
  const optionsUrl = page.url()
  await page.goto(`/riverside/${jobId}/cart`)
  await page
    .getByRole('article')
    .nth(maxLines - addCount - 1)
    .waitFor({ state: 'attached' })
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
  for (let index = 0; index < addCount; index += 1) {
    await page.goto(optionsUrl)
    await waitUntilIdle(page)
    const touchPoint = await findTouchPoint(page.getByRole('button', { name: 'Add to cart' }))
    // The page is not queried in between, because queries would count as its own work.
    const committed = new Promise<void>((resolve) => {
      onCommit = resolve
    })
    await touch(session, touchPoint)
    await committed
    await page.getByRole('heading', { level: 1, name: 'Cart', exact: true }).waitFor()
  }
  await context.close()
  if (times.length < addCount) throw new Error(`${times.length} of ${addCount} adds were stored`)
  return {
    name: `“Add to cart” stored, ${maxLines - addCount} to ${maxLines} lines, p95`,
    value: quantile(times, 0.95),
    limit: 50,
    unit: 'ms',
  }
}
