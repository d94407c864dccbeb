import { test as base, expect, type Page } from 'playwright/test'
import type { Cart } from '#domain/cart/cart.ts'
import { cartStatus, fetchCart, savedAtServer } from '#support/journeys/customer-steps.ts'
import { noFaults } from '#support/network/fault-plans.ts'
import { createProductKiller } from '#support/product/product-killer.ts'
import { demoStorages, type ProductStorage } from '#support/product/product-storage.ts'
import { startRestartableProduct } from '#support/product/restartable-product.ts'
import { casesOfRun, testSeed } from '#support/seed.ts'
import { readCartEffects } from './cart-effects.ts'
import { drawFaultSequence, type FaultSequence } from './fault-sequence.ts'
import { performStep, type SequenceRun, sequenceFaultPlan } from './sequence-steps.ts'
import { openTwoTabPhone, readDeviceCart, sortedExpectedLines, sortedLines, type TwoTabPhone } from './two-tab-phone.ts'

const isLong = process.env.LONG === '1'

/** Phones that use one product at the same time. Each runs its sequences one after the other on one cart. */
const parallelPhones = isLong ? 4 : 2
const sequencesPerPhone = isLong ? 5 : 1
const rounds = isLong ? 10 : 1

/** Longer than the longest retry delay of a phone that gets no `online` event. */
const drainMs = 90_000

/**
 * Makes the page receive `offline` and `online`. `BrowserContext.setOffline` also waits for the service worker, which
 * answers nothing while it is stopped.
 */
const goOfflineAndOnline = async (page: Page): Promise<void> => {
  const session = await page.context().newCDPSession(page)
  for (const offline of [true, false]) {
    await session.send('Network.emulateNetworkConditions', {
      offline,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: -1,
    })
  }
  await session.detach()
}

const recover = async (
  { phone, pendingRecovery }: SequenceRun,
  trigger: FaultSequence['recoveryTrigger'],
): Promise<void> => {
  await Promise.all(pendingRecovery.splice(0))
  phone.proxy.setFaultPlan(noFaults)
  if (trigger === 'reload') await Promise.all(phone.tabs.map((page) => page.reload()))
  if (trigger !== 'online') return
  await Promise.all(phone.tabs.map(goOfflineAndOnline))
}

/** Reads the lines on the server, with retries, because another phone may be restarting the server. */
const fetchLines = async (page: Page, jobId: number): Promise<Cart['cartPackages']> => {
  const carts: Cart[] = []
  const fetchOnce = async () => void carts.push(await fetchCart(page, jobId))
  await expect(fetchOnce).toPass({ timeout: drainMs })
  return carts.flatMap(({ cartPackages }) => cartPackages)
}

const expectConsistentCart = async ({ context, tabs, key, expectedLines }: TwoTabPhone): Promise<void> => {
  const [page] = tabs
  const readStatus = async () => {
    const { unsent, status } = await readDeviceCart(page, key)
    return [unsent, status.kind]
  }
  await expect.poll(readStatus, { timeout: drainMs }).toEqual([0, expectedLines.size > 0 ? 'sent' : 'empty'])
  const { lines, rejected, paused } = await readDeviceCart(page, key)
  expect([rejected, paused]).toEqual([[], null])
  expect(sortedLines(lines)).toEqual(sortedExpectedLines(expectedLines))
  const cartPackages = await fetchLines(page, key.jobId)
  expect(
    sortedLines(
      cartPackages.map(({ lineId, packageId, quantity, cartPackageItems }) => ({
        lineId,
        packageId,
        quantity,
        text: cartPackageItems.flatMap((item) => item.textNodes)[0]?.value ?? null,
      })),
    ),
  ).toEqual(sortedExpectedLines(expectedLines))
  for (const tab of context.pages()) {
    // This may take long, because another phone may restart the server.
    if (expectedLines.size > 0) await expect(cartStatus(tab)).toHaveText(savedAtServer, { timeout: drainMs })
    await expect(tab.getByRole('main').getByRole('article')).toHaveCount(expectedLines.size)
  }
}

/** Runs one sequence. A failure reports the seed and the steps that reproduce it. */
const runSequence = async (
  phone: TwoTabPhone,
  { seed, steps, recoveryTrigger }: FaultSequence,
  kill: () => Promise<void>,
) => {
  const faults: SequenceRun['faults'] = []
  phone.proxy.setFaultPlan(sequenceFaultPlan(seed, faults))
  const run: SequenceRun = { phone, removed: [], faults, pendingRecovery: [], killServer: kill }
  try {
    for (const step of steps) await performStep(run, step)
    await recover(run, recoveryTrigger)
    await expectConsistentCart(phone)
  } catch (error) {
    await Promise.all(run.pendingRecovery)
    throw new Error(`TEST_SEED=${seed}, recovery by ${recoveryTrigger}: ${JSON.stringify(steps)}`, { cause: error })
  }
}

type Counts = { phones: number; sequences: number; mutations: number; repeated: number }

const percent = (part: number, total: number): string => `${Math.round((100 * part) / total)} %`

const formatCounts = ({ phones, sequences, mutations, repeated }: Counts): string =>
  `${sequences} sequences on ${phones} phones, ${mutations} mutations, ${percent(repeated, mutations)} of them delivered more than once`

/** Checks that every effect is in the database once, however often the proxy delivered its mutation. */
const expectEffectsOnce = async (storage: ProductStorage, phones: readonly TwoTabPhone[]): Promise<Counts> => {
  const counts: Counts = {
    phones: phones.length,
    sequences: phones.length * sequencesPerPhone,
    mutations: 0,
    repeated: 0,
  }
  for (const { proxy, expectedLines } of phones) {
    const effects = await storage.read((db) => readCartEffects(db, [...proxy.mutationDeliveries.keys()]))
    expect(new Set(effects.done)).toEqual(new Set(proxy.mutationDeliveries.keys()))
    expect(effects.done).toHaveLength(proxy.mutationDeliveries.size)
    expect(effects.changes).toBe(proxy.mutationDeliveries.size)
    expect(effects.lines.sort()).toEqual([...expectedLines.keys()].sort())
    counts.mutations += proxy.mutationDeliveries.size
    counts.repeated += [...proxy.mutationDeliveries.values()].filter((times) => times > 1).length
  }
  return counts
}

const runSequences = async (
  phone: TwoTabPhone,
  { firstSeed, kill }: { firstSeed: number; kill: () => Promise<void> },
) => {
  for (let n = 0; n < sequencesPerPhone; n += 1) await runSequence(phone, drawFaultSequence(firstSeed + n), kill)
  expect(phone.pageErrors).toEqual([])
}

/** A short run takes one storage by the seed; continuous integration and the long run take all. */
const testedStorages = casesOfRun(demoStorages)

for (const { name, make } of testedStorages) {
  for (let round = 0; round < rounds; round += 1) {
    const seed = testSeed + round * parallelPhones * sequencesPerPhone
    base(
      `Under random faults each cart change takes effect exactly once: ${name}, round ${round + 1}`,
      async ({ browser }) => {
        base.setTimeout(isLong ? 1_200_000 : 240_000)
        const storage = await make()
        const product = await startRestartableProduct(storage)
        const { kill, settled } = createProductKiller(product)
        const openings = Array.from({ length: parallelPhones }, () => openTwoTabPhone(browser, product.port))
        const phones = await Promise.all(openings)
        await Promise.all(
          phones.map((phone, n) => runSequences(phone, { firstSeed: seed + n * sequencesPerPhone, kill })),
        )
        await Promise.all(phones.map((phone) => phone.close()))
        await settled()
        await product.stop()
        expect(product.errors()).toEqual([])
        const counts = await expectEffectsOnce(storage, phones)
        base.info().annotations.push({ type: 'counts', description: formatCounts(counts) })
        process.stdout.write(`  ${name}, seed ${seed}: ${formatCounts(counts)}\n`)
        if (isLong) expect(counts.repeated / counts.mutations).toBeGreaterThanOrEqual(0.3)
        await storage.remove()
      },
    )
  }
}
