import type { Page, Worker } from 'playwright/test'
import { waitUntilPageCached } from '#support/browser/offline-readiness.ts'
import { stopServiceWorkers } from '#support/browser/stop-service-workers.ts'
import {
  addToCart,
  cartStatus,
  choosePackage,
  fetchCart,
  idsInUrl,
  openAda,
  savedOnDevice,
} from '#support/journeys/customer-steps.ts'
import { expect, waitForServiceWorker } from '#support/journeys/journey-test.ts'
import { test } from '#support/journeys/proxied-journey-test.ts'
import { faultsInOrder, type NetworkFault, noFaults, refuseAll, syncRequest } from '#support/network/fault-plans.ts'

/** Browser behaviour that the other fault tests rely on. When one of these fails, a browser has changed, not the product. */

const askForHealth = (): Promise<string> =>
  fetch('/api/health').then(
    ({ status }) => String(status),
    () => 'nobody',
  )

const workerOf = async (page: Page): Promise<Worker> => {
  const [worker] = page.context().serviceWorkers()
  return worker ?? (await page.context().waitForEvent('serviceworker'))
}

test('Offline is offline for the page, for the worker, and for one that was stopped and woke again', async ({
  page,
  context,
  site,
}) => {
  await page.goto('/riverside')
  await waitForServiceWorker(page)
  const worker = await workerOf(page)
  expect([await page.evaluate(askForHealth), await worker.evaluate(askForHealth)]).toEqual(['200', '200'])
  await context.setOffline(true)
  expect([await page.evaluate(askForHealth), await worker.evaluate(askForHealth)]).toEqual(['nobody', 'nobody'])
  await stopServiceWorkers(page)
  // The worker serves the shell, so a reload wakes it.
  await page.reload()
  const woken = await workerOf(page)
  expect([await page.evaluate(askForHealth), await woken.evaluate(askForHealth)]).toEqual(['nobody', 'nobody'])
  const before = site.proxy.requests.length
  await context.setOffline(false)
  expect(await page.evaluate(askForHealth)).toBe('200')
  expect(site.proxy.requests.length).toBeGreaterThan(before)
})

for (const [fault, what] of [
  ['refuse', 'before a byte arrived'],
  ['cut-answer', 'after it was done'],
] as [NetworkFault, string][]) {
  test(`The browser by itself sends a POST again that was cut ${what}, and the line counts both`, async ({
    page,
    site,
  }) => {
    await page.goto('/riverside')
    await waitForServiceWorker(page)
    // The worker's prefetches open connections. The POST must use one that was used and is idle.
    await page.waitForLoadState('networkidle')
    site.proxy.setFaultPlan(faultsInOrder([fault], /^POST /))
    const answered = await page.evaluate(async () => {
      await (await fetch('/api/health')).text()
      const headers = { 'content-type': 'application/json' }
      return (await fetch('/api/customer/session', { method: 'POST', body: '{}', headers })).status
    })
    expect(answered).toBe(200)
    const posted = site.proxy.requests.filter(
      ({ method, path }) => method === 'POST' && path === '/api/customer/session',
    )
    expect(posted.map((one) => one.fault)).toEqual([fault, 'none'])
  })
}

test('Background Sync wakes the worker, which sends with no page open', async ({ page, context, site }) => {
  await openAda(page)
  const { jobId } = idsInUrl(page)
  await waitUntilPageCached(page)
  await context.setOffline(true)
  site.proxy.setFaultPlan(refuseAll)
  await choosePackage(page, /Package B/)
  await addToCart(page)
  await expect(cartStatus(page)).toContainText(savedOnDevice)
  const isAsked = () =>
    page.evaluate(async () => {
      const registration = (await navigator.serviceWorker.ready) as ServiceWorkerRegistration & {
        sync: { getTags: () => Promise<string[]> }
      } // Background Sync is missing in TypeScript's types
      return await registration.sync.getTags()
    })
  await expect.poll(isAsked).toEqual(['outbox'])
  await page.close()
  const sent = site.proxy.nextRequest(syncRequest)
  site.proxy.setFaultPlan(noFaults)
  await context.setOffline(false)
  await sent
  const later = await context.newPage()
  await expect.poll(async () => (await fetchCart(later, jobId)).cartPackages.length).toBe(1)
})
