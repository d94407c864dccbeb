import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from 'playwright/test'
import type { CartPackage } from '#domain/cart/cart.ts'
import { stopWorkers } from '#support/browser/stop-service-workers.ts'
import { addToCart, choosePackage } from '#support/journeys/customer-steps.ts'
import { expect } from '#support/journeys/journey-test.ts'
import { byChance, type Fault, type Plan, sync } from '#support/network/fault-plans.ts'
import type { Offer, Shown } from './cart-driver-page.ts'
import { commonOdds, type Step, type Trouble } from './fault-sequence.ts'
import { expectCart, inOrder, lookAt, openTab, type Phone, toldLines } from './two-tab-phone.ts'

/** A phone in the middle of a sequence. */
export type Run = {
  phone: Phone
  /** What the last removal took. */
  removed: CartPackage[]
  /** Faults that come before those of chance. */
  faults: Fault[]
  /** What is to be waited for before the phone is well again. */
  healing: Promise<unknown>[]
  killServer: () => Promise<void>
}

type Doing<Kind extends Step['do']> = (run: Run, step: Step & { do: Kind }) => Promise<void>
type DoingAll = { [Kind in Step['do']]: Doing<Kind> }

/** These faults first, then what chance brings; the requests that bring no cart pass. */
export const troubled = (seed: number, faults: Fault[]): Plan => {
  const common = byChance(seed, commonOdds, sync)
  return (asked) => (sync.test(`${asked.method} ${asked.path}`) ? (faults.shift() ?? common(asked)) : 'none')
}

const offerOf = ({ offers }: Phone, which: number): Offer => {
  const offer = offers[which % offers.length]
  if (!offer) throw new Error('nothing is on offer')
  return offer
}

const lineAt = ({ told }: Phone, line: number): string | undefined => [...told.keys()][line % Math.max(1, told.size)]

const must = <Answer extends { ok: boolean }>(answer: Answer): Extract<Answer, { ok: true }> => {
  if (!answer.ok) throw new Error(`it was refused: ${JSON.stringify(answer)}`)
  return answer as Extract<Answer, { ok: true }> // just asked
}

/** Takes over into what the owner was told what the device now says of one line. */
const noteLine = (phone: Phone, shown: Shown | undefined): void => {
  if (!shown) throw new Error('the line is not there')
  const { lineId, packageId, quantity, text } = shown
  phone.told.set(lineId, { packageId, quantity, text })
}

const note = (phone: Phone, lineId: string, change: { quantity?: number; text?: string }): void => {
  const before = phone.told.get(lineId)
  if (!before) throw new Error('nobody was told of this line')
  phone.told.set(lineId, { ...before, ...change })
}

const strayLine = async (phone: Phone): Promise<Shown | undefined> => {
  const [page] = phone.tabs
  const { lines } = await lookAt(page, phone.key)
  return lines.find(({ lineId }) => !phone.told.has(lineId))
}

const addIn = (page: Page, offer: Offer) => page.evaluate((line) => hand.add(line), offer)

const card = (phone: Phone, number: number) => {
  const [page] = phone.tabs
  return page.getByRole('article').filter({ has: page.locator(`a[href$="/edit-cart-package/${number}"]`) })
}

/** Taps on a card, and waits until the device holds what the tap was for. */
const tap = async (phone: Phone, lineId: string, by: 1 | -1): Promise<void> => {
  const [page] = phone.tabs
  const { lines } = await lookAt(page, phone.key)
  const shown = lines.find((one) => one.lineId === lineId)
  if (!shown) throw new Error('the line is not there')
  const quantity = shown.quantity + by
  const name = by === 1 ? /^One more / : quantity === 0 ? /^Remove / : /^One fewer /
  await card(phone, shown.number).getByRole('button', { name }).first().click()
  const held = async () => (await lookAt(page, phone.key)).lines.find((one) => one.lineId === lineId)?.quantity ?? 0
  await expect.poll(held).toBe(quantity)
  if (quantity === 0) phone.told.delete(lineId)
  else note(phone, lineId, { quantity })
}

const reopen = async (phone: Phone): Promise<void> => {
  for (const tab of [0, 1] as const) {
    const page = phone.tabs[tab]
    if (phone.crashed.has(page)) await page.close()
    if (!page.isClosed()) continue
    phone.tabs[tab] = await openTab(phone, phone.cartPath)
    await expectCart(phone.tabs[tab])
  }
}

const crash = async (page: Page): Promise<void> => {
  const session = await page.context().newCDPSession(page)
  const crashed = page.waitForEvent('crash')
  // The page it is asked of never answers.
  session.send('Page.crash').catch(() => undefined)
  await crashed
}

type BrokenOff = Trouble & { do: 'close-tab' | 'crash-tab' }

/** Ends a tab while it adds; what it said is told, what it could not say any more may have been done or not. */
const breakOff = async ({ phone }: Run, { tab, which }: BrokenOff, end: (page: Page) => Promise<void>) => {
  const offer = offerOf(phone, which)
  const page = phone.tabs[tab]
  const adding = addIn(page, offer).catch(() => null)
  await end(page)
  const added = await adding
  await reopen(phone)
  const stray = await strayLine(phone)
  if (added) expect(stray?.lineId).toBe(must(added).lineId)
  if (stray) noteLine(phone, stray)
}

const doing: DoingAll = {
  add: async ({ phone }, { tab, which, quantity }) => {
    const { lineId } = must(await addIn(phone.tabs[tab], { ...offerOf(phone, which), quantity }))
    const stray = await strayLine(phone)
    expect(stray?.lineId).toBe(lineId)
    noteLine(phone, stray)
  },
  'set-quantity': async (run, { tab, line, quantity }) => {
    const { phone } = run
    const lineId = lineAt(phone, line)
    if (lineId === undefined) return
    const page = phone.tabs[tab]
    must(
      await page.evaluate(([key, id, many]) => hand.setQuantity(key, id, many), [phone.key, lineId, quantity] as const),
    )
    if (quantity === 0) phone.told.delete(lineId)
    else note(phone, lineId, { quantity })
  },
  write: async ({ phone }, { tab, line, text }) => {
    const lineId = lineAt(phone, line)
    if (lineId === undefined || phone.told.get(lineId)?.text === null) return
    must(await phone.tabs[tab].evaluate((given) => hand.write(...given), [phone.key, lineId, text] as const))
    note(phone, lineId, { text })
  },
  remove: async (run, { tab, line }) => {
    const { phone } = run
    const lineId = lineAt(phone, line)
    if (lineId === undefined) return
    const { removed } = must(
      await phone.tabs[tab].evaluate((given) => hand.remove(...given), [phone.key, lineId] as const),
    )
    run.removed = removed
    for (const one of removed) phone.told.delete(one.lineId)
  },
  'put-back': async (run, { tab }) => {
    const { phone, removed } = run
    if (removed.length === 0) return
    must(await phone.tabs[tab].evaluate((given) => hand.putBack(...given), [phone.key, removed] as const))
    const { lines } = await lookAt(phone.tabs[tab], phone.key)
    for (const { lineId } of removed) {
      noteLine(
        phone,
        lines.find((one) => one.lineId === lineId),
      )
    }
    run.removed = []
  },
  clear: async (run, { tab }) => {
    const { phone } = run
    run.removed = must(await phone.tabs[tab].evaluate((key) => hand.clear(key), phone.key)).removed
    phone.told.clear()
  },
  'tap-more': async ({ phone }, { line }) => {
    const lineId = lineAt(phone, line)
    if (lineId !== undefined) await tap(phone, lineId, 1)
  },
  'tap-fewer': async ({ phone }, { line }) => {
    const lineId = lineAt(phone, line)
    if (lineId !== undefined) await tap(phone, lineId, -1)
  },
  choose: async ({ phone }, { which }) => {
    const [page] = phone.tabs
    const { subjectId, name } = offerOf(phone, which)
    await page.goto(phone.cartPath.replace('/cart', `/subject/${subjectId}/select-package`))
    await choosePackage(page, new RegExp(name.slice(0, 'Package A'.length)))
    await addToCart(page)
    await expect.poll(() => strayLine(phone)).toBeDefined()
    noteLine(phone, await strayLine(phone))
  },
  faults: async (run, { faults }) => void run.faults.push(...faults),
  'close-tab': (run, step) => breakOff(run, step, (page) => page.close()),
  'crash-tab': (run, step) => breakOff(run, step, crash),
  'stop-worker': ({ phone }) => stopWorkers(phone.tabs[0]),
  'kill-server': async (run) => void run.healing.push(run.killServer()),
  'move-clock': async ({ phone }, { byMs }) => {
    for (const page of phone.tabs) await page.evaluate((ms) => hand.moveClock(ms), byMs)
  },
  'lose-network': async ({ phone: { line }, healing }, { forMs }) => {
    await line.vanish()
    healing.push(wait(forMs).then(line.appear))
  },
  look: async (_, { forMs }) => wait(forMs),
}

/** Does one step; after it the device holds exactly what its owner was told, in both tabs. */
export const take = async (run: Run, step: Step): Promise<void> => {
  await (doing[step.do] as Doing<Step['do']>)(run, step as never) // the table has a verb for each kind
  const { phone } = run
  for (const page of phone.tabs) {
    expect(inOrder((await lookAt(page, phone.key)).lines), `after ${JSON.stringify(step)}`).toEqual(
      toldLines(phone.told),
    )
  }
}
