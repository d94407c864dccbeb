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
const slow = { roundTripMs: 300, bytesPerSecond: 200_000 }

const figures = (name: string, values: readonly number[]): string => {
  const [middle, p95, most] = [quantile(values, 0.5), quantile(values, 0.95), quantile(values, 1)]
  return `  ${name}: median ${middle} ms, p95 ${p95} ms, most ${most} ms of ${values.length}\n`
}

const fill = async ({ offers }: TwoTabPhone, page: Page, count: number): Promise<void> => {
  for (let n = 0; n < count; n += 1) {
    const offer = offers[n % offers.length]
    if (!offer) throw new Error('nothing is on offer')
    expect(await page.evaluate((line) => cartDriver.add(line), offer)).toMatchObject({ ok: true })
  }
}

const clear = async ({ key }: TwoTabPhone, page: Page): Promise<void> => {
  await page.evaluate((of) => cartDriver.clear(of), key)
  await page.evaluate(() => cartDriver.emptied())
}

/** Opens one tab on a phone with the slow network. */
const takeSlowPhone = async (browser: Browser, port: number): Promise<{ phone: TwoTabPhone; page: Page }> => {
  const phone = await openTwoTabPhone(browser, port)
  const [page, other] = phone.tabs
  await other.close()
  phone.proxy.setThrottle(slow)
  return { phone, page }
}

/** Milliseconds from `online` to the first sync request, and to an empty outbox. */
type Return = { first: number; emptied: number }

const comeBack = async (phone: TwoTabPhone, page: Page): Promise<Return> => {
  const onlineAt = page.evaluate(
    () =>
      new Promise<number>((resolve) => window.addEventListener('online', () => resolve(Date.now()), { once: true })),
  )
  const first = phone.proxy.nextRequest(syncRequest)
  await phone.context.setOffline(false)
  const emptied = await page.evaluate(() => cartDriver.emptied())
  const started = await onlineAt
  return { first: (await first).at - started, emptied: emptied - started }
}

/** Takes the server down for a time without an `offline` event on the phone, then brings it back without `online`. */
const comeBackUnheard = async (browser: Browser, port: number, awayMs: number): Promise<number> => {
  const phone = await openTwoTabPhone(browser, port)
  const [page] = phone.tabs
  phone.proxy.setFaultPlan(refuseAll)
  await fill(phone, page, 3)
  const lostAt = Date.now()
  // Waits for a late retry, after which the delay to the next is at its longest.
  for (
    let tried = await phone.proxy.nextRequest(syncRequest);
    tried.at - lostAt < awayMs;
    tried = await phone.proxy.nextRequest(syncRequest)
  );
  phone.proxy.setFaultPlan(noFaults)
  const since = Date.now()
  const waited = (await page.evaluate(() => cartDriver.emptied())) - since
  expect((await fetchCart(page, phone.key.jobId)).cartPackages).toHaveLength(3)
  await phone.close()
  return waited
}

test('An outbox is emptied without an online event', async ({ browser, site }) => {
  const phones = isLong ? 8 : 1
  test.setTimeout(isLong ? 600_000 : 120_000)
  const coming = Array.from({ length: phones }, () => comeBackUnheard(browser, site.port, isLong ? 90_000 : 500))
  const waited = await Promise.all(coming)
  process.stdout.write(figures('outbox of 3 empty with no online event', waited))
  if (isLong) expect(quantile(waited, 1)).toBeLessThanOrEqual(65_000)
})

// These check time alone, which a busy machine cannot guarantee.
if (isLong) {
  test('An outbox of twenty is empty soon after the network is back', async ({ browser, site }) => {
    const [rounds, packages] = [40, 20]
    test.setTimeout(900_000)
    const { phone, page } = await takeSlowPhone(browser, site.port)
    const returns: Return[] = []
    for (let round = 0; round < rounds; round += 1) {
      await phone.context.setOffline(true)
      await fill(phone, page, packages)
      returns.push(await comeBack(phone, page))
      expect((await fetchCart(page, phone.key.jobId)).cartPackages).toHaveLength(packages)
      await clear(phone, page)
    }
    const firsts = returns.map(({ first }) => first)
    const emptied = returns.map((one) => one.emptied)
    process.stdout.write(figures('first request after online', firsts))
    process.stdout.write(figures(`outbox of ${packages} empty after online`, emptied))
    expect(quantile(firsts, 1)).toBeLessThanOrEqual(1_000)
    expect(quantile(emptied, 0.95)).toBeLessThanOrEqual(5_000)
    await phone.close()
  })

  test('Two seconds of network are enough for a cart of ten', async ({ browser, site }) => {
    const [rounds, packages, networkMs] = [20, 10, 2_000]
    test.setTimeout(600_000)
    const { phone, page } = await takeSlowPhone(browser, site.port)
    for (let round = 0; round < rounds; round += 1) {
      await phone.context.setOffline(true)
      await fill(phone, page, packages)
      await phone.context.setOffline(false)
      await wait(networkMs)
      await phone.proxy.disconnect()
      await phone.context.setOffline(true)
      await phone.proxy.reconnect()
      expect((await fetchCart(page, phone.key.jobId)).cartPackages, `round ${round}`).toHaveLength(packages)
      await phone.context.setOffline(false)
      await clear(phone, page)
    }
    await phone.close()
  })
}
