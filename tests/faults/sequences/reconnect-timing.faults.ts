import { setTimeout as wait } from 'node:timers/promises'
import type { Browser, Page } from 'playwright/test'
import { fetchCart } from '#support/journeys/customer-steps.ts'
import { expect } from '#support/journeys/journey-test.ts'
import { test } from '#support/journeys/proxied-journey-test.ts'
import { quantile } from '#support/measurement/quantile.ts'
import { noFaults, refuseAll, syncRequest } from '#support/network/fault-plans.ts'
import { openTwoTabPhone, type TwoTabPhone } from './two-tab-phone.ts'

const isLong = process.env.LONG === '1'

/** A slow rural network: 300 ms round trip, 1.6 Mbit/s. */
const slowNetwork = { roundTripMs: 300, bytesPerSecond: 200_000 }

const formatDurations = (name: string, values: readonly number[]): string => {
  const [median, p95, max] = [quantile(values, 0.5), quantile(values, 0.95), quantile(values, 1)]
  return `  ${name}: median ${median} ms, p95 ${p95} ms, max ${max} ms of ${values.length}\n`
}

const fillCart = async ({ offers }: TwoTabPhone, page: Page, count: number): Promise<void> => {
  for (let n = 0; n < count; n += 1) {
    const offer = offers[n % offers.length]
    if (!offer) throw new Error('there is no package to add')
    expect(await page.evaluate((line) => cartDriver.add(line), offer)).toMatchObject({ ok: true })
  }
}

const clearCart = async ({ key }: TwoTabPhone, page: Page): Promise<void> => {
  await page.evaluate((cartKey) => cartDriver.clear(cartKey), key)
  await page.evaluate(() => cartDriver.waitUntilOutboxEmpty())
}

/** Opens one tab on a phone with the slow network. */
const openSlowPhone = async (browser: Browser, port: number): Promise<{ phone: TwoTabPhone; page: Page }> => {
  const phone = await openTwoTabPhone(browser, port)
  const [page, otherTab] = phone.tabs
  await otherTab.close()
  phone.proxy.setThrottle(slowNetwork)
  return { phone, page }
}

/** Milliseconds from `online` to the first sync request, and to an empty outbox. */
type SyncDelays = { firstRequest: number; emptyOutbox: number }

const goOnline = async (phone: TwoTabPhone, page: Page): Promise<SyncDelays> => {
  const onlineAt = page.evaluate(
    () =>
      new Promise<number>((resolve) => window.addEventListener('online', () => resolve(Date.now()), { once: true })),
  )
  const firstRequest = phone.proxy.nextRequest(syncRequest)
  await phone.context.setOffline(false)
  const emptyAt = await page.evaluate(() => cartDriver.waitUntilOutboxEmpty())
  const startedAt = await onlineAt
  return { firstRequest: (await firstRequest).at - startedAt, emptyOutbox: emptyAt - startedAt }
}

/** Takes the server down for a time without an `offline` event on the phone, then brings it back without `online`. */
const measureSilentOutage = async (phone: TwoTabPhone, outageMs: number): Promise<number> => {
  const [page] = phone.tabs
  phone.proxy.setFaultPlan(refuseAll)
  await fillCart(phone, page, 3)
  const lostAt = Date.now()
  // Waits for the first retry after that time, because then the delay to the next one is the longest.
  for (
    let retry = await phone.proxy.nextRequest(syncRequest);
    retry.at - lostAt < outageMs;
    retry = await phone.proxy.nextRequest(syncRequest)
  );
  phone.proxy.setFaultPlan(noFaults)
  const onlineAt = Date.now()
  const delay = (await page.evaluate(() => cartDriver.waitUntilOutboxEmpty())) - onlineAt
  expect((await fetchCart(page, phone.key.jobId)).cartPackages).toHaveLength(3)
  await phone.close()
  return delay
}

test('An outbox is emptied without an online event', async ({ browser, site }) => {
  const phoneCount = isLong ? 8 : 1
  test.setTimeout(isLong ? 600_000 : 120_000)
  // Opened one after another, because eight browsers that start at once keep the machine busy.
  const phones: TwoTabPhone[] = []
  while (phones.length < phoneCount) phones.push(await openTwoTabPhone(browser, site.port))
  const delays = await Promise.all(phones.map((phone) => measureSilentOutage(phone, isLong ? 90_000 : 500)))
  process.stdout.write(formatDurations('outbox of 3 empty with no online event', delays))
  if (isLong) expect(quantile(delays, 1)).toBeLessThanOrEqual(65_000)
})

// These tests check only durations, which a busy machine cannot guarantee.
if (isLong) {
  test('An outbox with twenty packages is empty within seconds after the network is back', async ({
    browser,
    site,
  }) => {
    const [rounds, packages] = [40, 20]
    test.setTimeout(900_000)
    const { phone, page } = await openSlowPhone(browser, site.port)
    const delays: SyncDelays[] = []
    for (let round = 0; round < rounds; round += 1) {
      await phone.context.setOffline(true)
      await fillCart(phone, page, packages)
      delays.push(await goOnline(phone, page))
      expect((await fetchCart(page, phone.key.jobId)).cartPackages).toHaveLength(packages)
      await clearCart(phone, page)
    }
    const firstRequests = delays.map(({ firstRequest }) => firstRequest)
    const emptyOutboxes = delays.map(({ emptyOutbox }) => emptyOutbox)
    process.stdout.write(formatDurations('first request after online', firstRequests))
    process.stdout.write(formatDurations(`outbox of ${packages} empty after online`, emptyOutboxes))
    expect(quantile(firstRequests, 1)).toBeLessThanOrEqual(1_000)
    expect(quantile(emptyOutboxes, 0.95)).toBeLessThanOrEqual(5_000)
    await phone.close()
  })

  test('Two seconds of network suffice to send a cart of ten packages', async ({ browser, site }) => {
    const [rounds, packages, networkMs] = [20, 10, 2_000]
    test.setTimeout(600_000)
    const { phone, page } = await openSlowPhone(browser, site.port)
    for (let round = 0; round < rounds; round += 1) {
      await phone.context.setOffline(true)
      await fillCart(phone, page, packages)
      await phone.context.setOffline(false)
      await wait(networkMs)
      await phone.proxy.disconnect()
      await phone.context.setOffline(true)
      await phone.proxy.reconnect()
      expect((await fetchCart(page, phone.key.jobId)).cartPackages, `round ${round}`).toHaveLength(packages)
      await phone.context.setOffline(false)
      await clearCart(phone, page)
    }
    await phone.close()
  })
}
