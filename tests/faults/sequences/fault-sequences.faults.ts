import { test as base, expect, type Page } from 'playwright/test'
import type { Cart } from '#domain/cart/cart.ts'
import { cartStatus, fetchCart, savedAtServer } from '#support/journeys/customer-steps.ts'
import { noFaults } from '#support/network/fault-plans.ts'
import { createProductKiller } from '#support/product/product-killer.ts'
import { demoStorages, type ProductStorage } from '#support/product/product-storage.ts'
import { startRestartableProduct } from '#support/product/restartable-product.ts'
import { chosen, testSeed } from '#support/seed.ts'
import { readCartEffects } from './cart-effects.ts'
import { drawFaultSequence, type FaultSequence } from './fault-sequence.ts'
import { performStep, type SequenceRun, sequenceFaultPlan } from './sequence-steps.ts'
import { openTwoTabPhone, readDeviceCart, sortedExpectedLines, sortedLines, type TwoTabPhone } from './two-tab-phone.ts'

const isLong = process.env.LONG === '1'

/** Phones that use one product at the same time. Each runs its sequences one after the other on one cart. */
const phonesAtOnce = isLong ? 4 : 2
const sequencesEach = isLong ? 5 : 1
const shifts = isLong ? 10 : 1

/** Longer than the longest retry delay of a phone that gets no `online` event. */
const drainMs = 90_000

const heal = async (
  { phone, pendingRecovery: healing }: SequenceRun,
  how: FaultSequence['recoveryTrigger'],
): Promise<void> => {
  await Promise.all(healing.splice(0))
  phone.proxy.setFaultPlan(noFaults)
  if (how === 'reload') await Promise.all(phone.tabs.map((page) => page.reload()))
  if (how !== 'online') return
  await phone.context.setOffline(true)
  await phone.context.setOffline(false)
}

/** The lines on the server; retries, because another phone may be restarting the server. */
const linesOnceUp = async (page: Page, jobId: number): Promise<Cart['cartPackages']> => {
  const answers: Cart[] = []
  const ask = async () => void answers.push(await fetchCart(page, jobId))
  await expect(ask).toPass({ timeout: drainMs })
  return answers.flatMap(({ cartPackages }) => cartPackages)
}

const expectAgreed = async ({ context, tabs, key, expectedLines: told }: TwoTabPhone): Promise<void> => {
  const [page] = tabs
  const held = async () => {
    const { unsent, status: words } = await readDeviceCart(page, key)
    return [unsent, words.kind]
  }
  await expect.poll(held, { timeout: drainMs }).toEqual([0, told.size > 0 ? 'sent' : 'empty'])
  const { lines, refused, paused } = await readDeviceCart(page, key)
  expect([refused, paused]).toEqual([[], null])
  expect(sortedLines(lines)).toEqual(sortedExpectedLines(told))
  const cartPackages = await linesOnceUp(page, key.jobId)
  expect(
    sortedLines(
      cartPackages.map(({ lineId, packageId, quantity, cartPackageItems }) => ({
        lineId,
        packageId,
        quantity,
        text: cartPackageItems.flatMap((item) => item.textNodes)[0]?.value ?? null,
      })),
    ),
  ).toEqual(sortedExpectedLines(told))
  for (const tab of context.pages()) {
    // A restart of the server by another phone is an outage for this one too.
    if (told.size > 0) await expect(cartStatus(tab)).toHaveText(savedAtServer, { timeout: drainMs })
    await expect(tab.getByRole('main').getByRole('article')).toHaveCount(told.size)
  }
}

/** Runs all sequences of one phone. A failure reports the seed and the steps that reproduce it. */
const goThrough = async (
  phone: TwoTabPhone,
  { seed, steps, recoveryTrigger: healing }: FaultSequence,
  kill: () => Promise<void>,
) => {
  const faults: SequenceRun['faults'] = []
  phone.proxy.setFaultPlan(sequenceFaultPlan(seed, faults))
  const run: SequenceRun = { phone, removed: [], faults, pendingRecovery: [], killServer: kill }
  try {
    for (const step of steps) await performStep(run, step)
    await heal(run, healing)
    await expectAgreed(phone)
  } catch (error) {
    await Promise.all(run.pendingRecovery)
    throw new Error(`TEST_SEED=${seed}, healed ${healing}: ${JSON.stringify(steps)}`, { cause: error })
  }
}

type Counts = { phones: number; sequences: number; mutations: number; again: number }

const share = (part: number, whole: number): string => `${Math.round((100 * part) / whole)} %`

const said = ({ phones, sequences, mutations, again }: Counts): string =>
  `${sequences} sequences on ${phones} phones, ${mutations} mutations, ${share(again, mutations)} of them seen more than once`

/** Checks that every effect is in the database once, however often the proxy delivered its mutation. */
const expectOnce = async (base: ProductStorage, phones: readonly TwoTabPhone[]): Promise<Counts> => {
  const all: Counts = { phones: phones.length, sequences: phones.length * sequencesEach, mutations: 0, again: 0 }
  for (const { proxy: line, expectedLines: told } of phones) {
    const effects = await base.read((db) => readCartEffects(db, [...line.mutationDeliveries.keys()]))
    expect(new Set(effects.done)).toEqual(new Set(line.mutationDeliveries.keys()))
    expect(effects.done).toHaveLength(line.mutationDeliveries.size)
    expect(effects.changes).toBe(line.mutationDeliveries.size)
    expect(effects.lines.sort()).toEqual([...told.keys()].sort())
    all.mutations += line.mutationDeliveries.size
    all.again += [...line.mutationDeliveries.values()].filter((times) => times > 1).length
  }
  return all
}

const goOn = async (phone: TwoTabPhone, { firstSeed, kill }: { firstSeed: number; kill: () => Promise<void> }) => {
  for (let n = 0; n < sequencesEach; n += 1) await goThrough(phone, drawFaultSequence(firstSeed + n), kill)
  expect(phone.pageErrors).toEqual([])
}

/** A short run takes one storage by the seed; continuous integration and the long run take all. */
const tried = chosen(demoStorages)

for (const { name, make } of tried) {
  for (let shift = 0; shift < shifts; shift += 1) {
    const seed = testSeed + shift * phonesAtOnce * sequencesEach
    base(
      `Whatever happens to phone and server, each change takes effect once: ${name}, shift ${shift + 1}`,
      async ({ browser }) => {
        base.setTimeout(isLong ? 1_200_000 : 240_000)
        const data = await make()
        const served = await startRestartableProduct(data)
        const { kill, settled } = createProductKiller(served)
        const taken = Array.from({ length: phonesAtOnce }, () => openTwoTabPhone(browser, served.port))
        const phones = await Promise.all(taken)
        await Promise.all(phones.map((phone, n) => goOn(phone, { firstSeed: seed + n * sequencesEach, kill })))
        await Promise.all(phones.map((phone) => phone.close()))
        await settled()
        await served.stop()
        expect(served.errors()).toEqual([])
        const counts = await expectOnce(data, phones)
        base.info().annotations.push({ type: 'counts', description: said(counts) })
        process.stdout.write(`  ${name}, seed ${seed}: ${said(counts)}\n`)
        if (isLong) expect(counts.again / counts.mutations).toBeGreaterThanOrEqual(0.3)
        await data.remove()
      },
    )
  }
}
