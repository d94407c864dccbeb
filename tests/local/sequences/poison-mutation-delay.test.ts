import './simulated-platform.ts'
import { expect, it } from 'vitest'
import { confirmSubject } from '#contract/customer/discovery-calls.ts'
import { redeemCode } from '#contract/customer/session-calls.ts'
import { addLines, readCart } from '#local/cart.ts'
import { saveAccessCode } from '#local/session.ts'
import { searchProofOf } from '#support/cart-server/model-server.ts'
import { type RandomSource, seededRandom } from '#support/network/fault-plans.ts'
import { testSeed } from '#support/seed.ts'
import { noContent } from '#tests/domain/cart/cart-fixtures.ts'
import { lineSnapshotFor, offered } from './sequence-shop.ts'
import { createPhone } from './simulated-phone.ts'
import { settleWithoutTime } from './simulated-time.ts'

const key = { jobId: 1, orderMethod: 'gallery' } as const
const ada = { firstName: 'Ada', lastName: 'Lovelace' }
/** Makes each round trip take 300 ms. */
const constantDelay: RandomSource = () => 130 / 600
const maxDelayMs = 5_000
const tickMs = 100

/**
 * When each line arrives at the server, in milliseconds since it was added; `isPoison`: the lines that cause a server
 * error.
 */
const arrivals = async (seed: number, isPoison: (index: number) => boolean) => {
  const phone = createPhone(seed)
  phone.random = constantDelay
  const tab = phone.openTab('a tab')
  await settleWithoutTime(saveAccessCode(tab.db, { studioSlug: 'riverside', studioId: 1, jobId: 1, code: 'SPRING' }))
  const accessRequests = (async () => {
    await tab.ask(redeemCode, { params: { slug: 'riverside' }, query: { code: 'SPRING' } })
    await tab.ask(confirmSubject, { params: { jobId: 1 }, body: { subjectId: 7, proof: searchProofOf(7) } })
  })()
  await phone.time.pass(2_000)
  await accessRequests
  const poisoned = new Set<string>()
  phone.server.failsAt = (mutation) => 'lineId' in mutation && poisoned.has(mutation.lineId)
  const random = seededRandom(seed)
  const count = 2 + Math.floor(random() * 60)
  const addedAt = new Map<string, number>()
  const arrivedAt = new Map<string, number>()
  const recordArrivals = () => {
    for (const { lineId } of phone.server.cart(1, 'gallery').cartPackages)
      if (!arrivedAt.has(lineId)) arrivedAt.set(lineId, phone.time.now() - (addedAt.get(lineId) ?? 0))
  }
  const pass = async (milliseconds: number) => {
    for (let remainingMs = milliseconds; remainingMs > 0; remainingMs -= tickMs) {
      await phone.time.pass(tickMs)
      recordArrivals()
    }
  }
  const [packageVersion = offered[0]] = offered
  for (let index = 0; index < count && packageVersion; index += 1) {
    const line = {
      snapshot: lineSnapshotFor(packageVersion, ada),
      subjectId: 7,
      personId: null,
      quantity: 1,
      content: noContent,
    }
    const result = await settleWithoutTime(addLines(tab.db, tab.stamp, { ...key, lines: [line] }))
    if (!result.ok) throw new Error(result.problem)
    const [lineId = ''] = result.lineIds
    addedAt.set(lineId, phone.time.now())
    if (isPoison(index)) poisoned.add(lineId)
    // Most lines are added without sending, as if offline, and some while requests are in flight.
    if (random() < 0.7) continue
    void tab.sender.wake('mutation')
    if (random() < 0.4) await pass(tickMs * Math.floor(random() * 8))
  }
  void tab.sender.wake('mutation')
  await pass(30_000)
  const { rejected } = await settleWithoutTime(readCart(tab.db, 1, 'gallery'))
  tab.kill()
  return { count, lines: [...addedAt.keys()], arrivedAt, rejected, violations: phone.violations }
}

const runs = process.env.LONG ? 200 : 4
const from = Number(process.env.SEED ?? testSeed)

it(`a poison mutation delays no other by more than 5 s, and is shown (${runs} from seed ${from})`, async () => {
  for (let seed = from; seed < from + (process.env.SEED === undefined ? runs : 1); seed += 1) {
    const healthy = await arrivals(seed, () => false)
    const poisonIndex = Math.floor(seededRandom(seed + 7)() * healthy.count)
    const poisoned = await arrivals(seed, (index) => index === poisonIndex)
    const delayed = poisoned.lines.flatMap((lineId, index) => {
      if (index === poisonIndex) return []
      const delay = (poisoned.arrivedAt.get(lineId) ?? Number.POSITIVE_INFINITY) - (healthy.arrivedAt.get(lineId) ?? 0)
      return delay > maxDelayMs ? [{ seed, index, delay }] : []
    })
    expect(delayed).toEqual([])
    expect(poisoned.rejected.map(({ lineId }) => lineId)).toEqual([poisoned.lines[poisonIndex]])
    expect(poisoned.rejected[0]?.rejection.message).toMatch(/try again/i)
    expect(poisoned.violations).toEqual([])
  }
}, 600_000)
