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

/*
 * Tests of browser behaviour that the other fault tests rely on. If one of them fails, the browser has changed, not the
 * product.
 */

const fetchHealthStatus = (): Promise<string> =>
  fetch('/api/health').then(
    ({ status }) => String(status),
    () => 'unreachable',
  )

const getWorker = async (page: Page): Promise<Worker> => {
  const [worker] = page.context().serviceWorkers()
  return worker ?? (await page.context().waitForEvent('serviceworker'))
}

test('Playwright’s offline mode applies to the page, to the service worker, and to a restarted service worker', async ({
  page,
  context,
  site,
}) => {
  await page.goto('/riverside')
  await waitForServiceWorker(page)
  const worker = await getWorker(page)
  expect([await page.evaluate(fetchHealthStatus), await worker.evaluate(fetchHealthStatus)]).toEqual(['200', '200'])
  await context.setOffline(true)
  expect([await page.evaluate(fetchHealthStatus), await worker.evaluate(fetchHealthStatus)]).toEqual([
    'unreachable',
    'unreachable',
  ])
  await stopServiceWorkers(page)
  // The worker serves the shell, so a reload restarts it.
  await page.reload()
  const restartedWorker = await getWorker(page)
  expect([await page.evaluate(fetchHealthStatus), await restartedWorker.evaluate(fetchHealthStatus)]).toEqual([
    'unreachable',
    'unreachable',
  ])
  const requestCount = site.proxy.requests.length
  await context.setOffline(false)
  expect(await page.evaluate(fetchHealthStatus)).toBe('200')
  expect(site.proxy.requests.length).toBeGreaterThan(requestCount)
})

for (const [fault, moment] of [
  ['refuse', 'before its first byte arrived'],
  ['cut-answer', 'after it was processed'],
] as [NetworkFault, string][]) {
  test(`The browser repeats a POST whose connection was cut ${moment}, and the proxy records both`, async ({
    page,
    site,
  }) => {
    await page.goto('/riverside')
    await waitForServiceWorker(page)
    // The browser repeats a POST only on a reused connection. The worker's prefetches leave idle connections.
    await page.waitForLoadState('networkidle')
    site.proxy.setFaultPlan(faultsInOrder([fault], /^POST /))
    const status = await page.evaluate(async () => {
      await (await fetch('/api/health')).text()
      const headers = { 'content-type': 'application/json' }
      return (await fetch('/api/customer/session', { method: 'POST', body: '{}', headers })).status
    })
    expect(status).toBe(200)
    const postRequests = site.proxy.requests.filter(
      ({ method, path }) => method === 'POST' && path === '/api/customer/session',
    )
    expect(postRequests.map((request) => request.fault)).toEqual([fault, 'none'])
  })
}

test('Background Sync wakes the service worker, which sends the cart without an open page', async ({
  page,
  context,
  site,
}) => {
  await openAda(page)
  const { jobId } = idsInUrl(page)
  await waitUntilPageCached(page)
  await context.setOffline(true)
  site.proxy.setFaultPlan(refuseAll)
  await choosePackage(page, /Package B/)
  await addToCart(page)
  await expect(cartStatus(page)).toContainText(savedOnDevice)
  const syncTags = () =>
    page.evaluate(async () => {
      const registration = (await navigator.serviceWorker.ready) as ServiceWorkerRegistration & {
        sync: { getTags: () => Promise<string[]> }
      } // Background Sync is missing in TypeScript's types
      return await registration.sync.getTags()
    })
  await expect.poll(syncTags).toEqual(['outbox'])
  await page.close()
  const syncRequested = site.proxy.nextRequest(syncRequest)
  site.proxy.setFaultPlan(noFaults)
  await context.setOffline(false)
  await syncRequested
  const newPage = await context.newPage()
  await expect.poll(async () => (await fetchCart(newPage, jobId)).cartPackages.length).toBe(1)
})
