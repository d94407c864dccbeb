import type { Page, Worker } from 'playwright/test'
import { untilWarm } from '#support/browser/offline-readiness.ts'
import { stopWorkers } from '#support/browser/stop-service-workers.ts'
import {
  addToCart,
  cartAtServer,
  choosePackage,
  openAda,
  placeOf,
  savedHere,
  status,
} from '#support/journeys/customer-steps.ts'
import { expect, underControl } from '#support/journeys/journey-test.ts'
import { test } from '#support/journeys/proxied-journey-test.ts'
import { broken, calm, type Fault, inRow, sync } from '#support/network/fault-plans.ts'

/** What the other tests of faults stand on: where one of these fails, a browser has changed, and not the product. */

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
  await underControl(page)
  const worker = await workerOf(page)
  expect([await page.evaluate(askForHealth), await worker.evaluate(askForHealth)]).toEqual(['200', '200'])
  await context.setOffline(true)
  expect([await page.evaluate(askForHealth), await worker.evaluate(askForHealth)]).toEqual(['nobody', 'nobody'])
  await stopWorkers(page)
  // The shell comes from the worker, which must be awake for that.
  await page.reload()
  const woken = await workerOf(page)
  expect([await page.evaluate(askForHealth), await woken.evaluate(askForHealth)]).toEqual(['nobody', 'nobody'])
  const before = site.line.passed.length
  await context.setOffline(false)
  expect(await page.evaluate(askForHealth)).toBe('200')
  expect(site.line.passed.length).toBeGreaterThan(before)
})

for (const [fault, what] of [
  ['refuse', 'before a byte arrived'],
  ['cut-answer', 'after it was done'],
] as [Fault, string][]) {
  test(`The browser by itself sends a POST again that was cut ${what}, and the line counts both`, async ({
    page,
    site,
  }) => {
    await page.goto('/riverside')
    await underControl(page)
    // What the worker fetches ahead takes connections; the POST is to find one that was used and is free.
    await page.waitForLoadState('networkidle')
    site.line.plan(inRow([fault], /^POST /))
    const answered = await page.evaluate(async () => {
      await (await fetch('/api/health')).text()
      const headers = { 'content-type': 'application/json' }
      return (await fetch('/api/customer/session', { method: 'POST', body: '{}', headers })).status
    })
    expect(answered).toBe(200)
    const posted = site.line.passed.filter(({ method, path }) => method === 'POST' && path === '/api/customer/session')
    expect(posted.map((one) => one.fault)).toEqual([fault, 'none'])
  })
}

test('Background Sync wakes the worker, which sends with no page open', async ({ page, context, site }) => {
  await openAda(page)
  const { jobId } = placeOf(page)
  await untilWarm(page)
  await context.setOffline(true)
  site.line.plan(broken)
  await choosePackage(page, /Package B/)
  await addToCart(page)
  await expect(status(page)).toContainText(savedHere)
  const isAsked = () =>
    page.evaluate(async () => {
      const registration = (await navigator.serviceWorker.ready) as ServiceWorkerRegistration & {
        sync: { getTags: () => Promise<string[]> }
      } // Background Sync is not in TypeScript's list
      return await registration.sync.getTags()
    })
  await expect.poll(isAsked).toEqual(['outbox'])
  await page.close()
  const sent = site.line.next(sync)
  site.line.plan(calm)
  await context.setOffline(false)
  await sent
  const later = await context.newPage()
  await expect.poll(async () => (await cartAtServer(later, jobId)).cartPackages.length).toBe(1)
})
