import './simulated-platform.ts'
import { expect, it } from 'vitest'
import { confirmSubject } from '#contract/customer/discovery-calls.ts'
import { redeemCode } from '#contract/customer/session-calls.ts'
import { addLines, readCart } from '#local/cart.ts'
import { saveAccessCode } from '#local/session.ts'
import { searchProofOf } from '#support/cart-server/model-server.ts'
import { type RandomSource, seededRandom } from '#support/network/fault-plans.ts'
import { testSeed } from '#support/seed.ts'
import { noContent } from '../../domain/cart/cart-fixtures.ts'
import { offered, shownFor } from './sequence-shop.ts'
import { createPhone } from './simulated-phone.ts'
import { settleWithoutTime } from './simulated-time.ts'

const key = { jobId: 1, orderMethod: 'gallery' } as const
const ada = { firstName: 'Ada', lastName: 'Lovelace' }
/** Over the air there and back: 300 ms. */
const evenly: RandomSource = () => 130 / 600
const longestDelay = 5_000
const tick = 100

/** When each line is at the server, in milliseconds since its adding; `breaks`: which of them it stumbles over. */
const arrivals = async (seed: number, breaks: (place: number) => boolean) => {
  const phone = createPhone(seed)
  phone.chance = evenly
  const tab = phone.openTab('a tab')
  await settleWithoutTime(saveAccessCode(tab.db, { studioSlug: 'riverside', studioId: 1, jobId: 1, code: 'SPRING' }))
  const entered = (async () => {
    await tab.ask(redeemCode, { params: { slug: 'riverside' }, query: { code: 'SPRING' } })
    await tab.ask(confirmSubject, { params: { jobId: 1 }, body: { subjectId: 7, proof: searchProofOf(7) } })
  })()
  await phone.time.pass(2_000)
  await entered
  const poisoned = new Set<string>()
  phone.server.failsAt = (mutation) => 'lineId' in mutation && poisoned.has(mutation.lineId)
  const chance = seededRandom(seed)
  const count = 2 + Math.floor(chance() * 60)
  const addedAt = new Map<string, number>()
  const arrivedAt = new Map<string, number>()
  const notice = () => {
    for (const { lineId } of phone.server.cart(1, 'gallery').cartPackages)
      if (!arrivedAt.has(lineId)) arrivedAt.set(lineId, phone.time.now() - (addedAt.get(lineId) ?? 0))
  }
  const pass = async (milliseconds: number) => {
    for (let left = milliseconds; left > 0; left -= tick) {
      await phone.time.pass(tick)
      notice()
    }
  }
  const [of = offered[0]] = offered
  for (let place = 0; place < count && of; place += 1) {
    const line = { snapshot: shownFor(of, ada), subjectId: 7, personId: null, quantity: 1, content: noContent }
    const added = await settleWithoutTime(addLines(tab.db, tab.stamp, { ...key, lines: [line] }))
    if (!added.ok) throw new Error(added.problem)
    const [lineId = ''] = added.lineIds
    addedAt.set(lineId, phone.time.now())
    if (breaks(place)) poisoned.add(lineId)
    // Most of them at once, as after a while without a network; some while others are under way.
    if (chance() < 0.7) continue
    void tab.sender.wake('mutation')
    if (chance() < 0.4) await pass(tick * Math.floor(chance() * 8))
  }
  void tab.sender.wake('mutation')
  await pass(30_000)
  const { refused } = await settleWithoutTime(readCart(tab.db, 1, 'gallery'))
  tab.kill()
  return { count, lines: [...addedAt.keys()], arrivedAt, refused, wrong: phone.wrong }
}

const runs = process.env.LONG ? 200 : 4
const from = Number(process.env.SEED ?? testSeed)

it(`one that the server stumbles over delays no other by more than 5 s, and is shown (${runs} from seed ${from})`, async () => {
  for (let seed = from; seed < from + (process.env.SEED === undefined ? runs : 1); seed += 1) {
    const without = await arrivals(seed, () => false)
    const place = Math.floor(seededRandom(seed + 7)() * without.count)
    const poisoned = await arrivals(seed, (one) => one === place)
    const late = poisoned.lines.flatMap((lineId, one) => {
      if (one === place) return []
      const delay = (poisoned.arrivedAt.get(lineId) ?? Number.POSITIVE_INFINITY) - (without.arrivedAt.get(lineId) ?? 0)
      return delay > longestDelay ? [{ seed, one, delay }] : []
    })
    expect(late).toEqual([])
    expect(poisoned.refused.map(({ lineId }) => lineId)).toEqual([poisoned.lines[place]])
    expect(poisoned.refused[0]?.refusal.message).toMatch(/try again/i)
    expect(poisoned.wrong).toEqual([])
  }
}, 600_000)
