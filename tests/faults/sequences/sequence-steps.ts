import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from 'playwright/test'
import type { CartPackage } from '#domain/cart/cart.ts'
import { stopServiceWorkers } from '#support/browser/stop-service-workers.ts'
import { addToCart, choosePackage } from '#support/journeys/customer-steps.ts'
import { expect } from '#support/journeys/journey-test.ts'
import { type FaultPlan, type NetworkFault, randomFaults, syncRequest } from '#support/network/fault-plans.ts'
import type { AddablePackage, DeviceLine } from './cart-driver-page.ts'
import { backgroundFaultOdds, type Disruption, type SequenceStep } from './fault-sequence.ts'
import {
  expectCart,
  openTab,
  readDeviceCart,
  sortedExpectedLines,
  sortedLines,
  type TwoTabPhone,
} from './two-tab-phone.ts'

/** The state of a sequence on one phone. */
export type SequenceRun = {
  phone: TwoTabPhone
  /** The lines of the last removal. */
  removed: CartPackage[]
  /** Planned faults, used before the random ones. */
  faults: NetworkFault[]
  /** What must finish before the phone has recovered. */
  pendingRecovery: Promise<unknown>[]
  killServer: () => Promise<void>
}

type StepHandler<Kind extends SequenceStep['do']> = (
  run: SequenceRun,
  step: SequenceStep & { do: Kind },
) => Promise<void>
type StepHandlers = { [Kind in SequenceStep['do']]: StepHandler<Kind> }

/** Uses the planned faults first, then random ones. Requests without a cart pass. */
export const sequenceFaultPlan = (seed: number, faults: NetworkFault[]): FaultPlan => {
  const common = randomFaults(seed, backgroundFaultOdds, syncRequest)
  return (asked) => (syncRequest.test(`${asked.method} ${asked.path}`) ? (faults.shift() ?? common(asked)) : 'none')
}

const offerOf = ({ offers }: TwoTabPhone, which: number): AddablePackage => {
  const offer = offers[which % offers.length]
  if (!offer) throw new Error('nothing is on offer')
  return offer
}

const lineIdAt = ({ expectedLines: told }: TwoTabPhone, line: number): string | undefined =>
  [...told.keys()][line % Math.max(1, told.size)]

const requireOk = <Answer extends { ok: boolean }>(answer: Answer): Extract<Answer, { ok: true }> => {
  if (!answer.ok) throw new Error(`it was refused: ${JSON.stringify(answer)}`)
  return answer as Extract<Answer, { ok: true }> // checked on the line above
}

/** Copies what the device reports of one line into the expected lines. */
const recordExpectedLine = (phone: TwoTabPhone, shown: DeviceLine | undefined): void => {
  if (!shown) throw new Error('the line is not there')
  const { lineId, packageId, quantity, text } = shown
  phone.expectedLines.set(lineId, { packageId, quantity, text })
}

const recordLineChange = (phone: TwoTabPhone, lineId: string, change: { quantity?: number; text?: string }): void => {
  const before = phone.expectedLines.get(lineId)
  if (!before) throw new Error('nobody was told of this line')
  phone.expectedLines.set(lineId, { ...before, ...change })
}

const unexpectedLine = async (phone: TwoTabPhone): Promise<DeviceLine | undefined> => {
  const [page] = phone.tabs
  const { lines } = await readDeviceCart(page, phone.key)
  return lines.find(({ lineId }) => !phone.expectedLines.has(lineId))
}

const addIn = (page: Page, offer: AddablePackage) => page.evaluate((line) => cartDriver.add(line), offer)

const cartLineCard = (phone: TwoTabPhone, number: number) => {
  const [page] = phone.tabs
  return page.getByRole('article').filter({ has: page.locator(`a[href$="/edit-cart-package/${number}"]`) })
}

/** Taps on a card and waits until the device holds the expected quantity. */
const tapQuantity = async (phone: TwoTabPhone, lineId: string, by: 1 | -1): Promise<void> => {
  const [page] = phone.tabs
  const { lines } = await readDeviceCart(page, phone.key)
  const shown = lines.find((one) => one.lineId === lineId)
  if (!shown) throw new Error('the line is not there')
  const quantity = shown.quantity + by
  const name = by === 1 ? /^One more / : quantity === 0 ? /^Remove / : /^One fewer /
  await cartLineCard(phone, shown.number).getByRole('button', { name }).first().click()
  const held = async () =>
    (await readDeviceCart(page, phone.key)).lines.find((one) => one.lineId === lineId)?.quantity ?? 0
  await expect.poll(held).toBe(quantity)
  if (quantity === 0) phone.expectedLines.delete(lineId)
  else recordLineChange(phone, lineId, { quantity })
}

const reopenTabs = async (phone: TwoTabPhone): Promise<void> => {
  for (const tab of [0, 1] as const) {
    const page = phone.tabs[tab]
    if (phone.crashed.has(page)) await page.close()
    if (!page.isClosed()) continue
    phone.tabs[tab] = await openTab(phone, phone.cartPath)
    await expectCart(phone.tabs[tab])
  }
}

const crashTab = async (page: Page): Promise<void> => {
  const session = await page.context().newCDPSession(page)
  const crashed = page.waitForEvent('crash')
  // The call never returns, because the page crashes.
  session.send('Page.crash').catch(() => undefined)
  await crashed
}

type EndTabStep = Disruption & { do: 'close-tab' | 'crash-tab' }

/** Ends a tab during an add. What it reported is expected; what it could not report may or may not have been stored. */
const endTabWhileAdding = async (
  { phone }: SequenceRun,
  { tab, which }: EndTabStep,
  end: (page: Page) => Promise<void>,
) => {
  const offer = offerOf(phone, which)
  const page = phone.tabs[tab]
  const adding = addIn(page, offer).catch(() => null)
  await end(page)
  const added = await adding
  await reopenTabs(phone)
  const stray = await unexpectedLine(phone)
  if (added) expect(stray?.lineId).toBe(requireOk(added).lineId)
  if (stray) recordExpectedLine(phone, stray)
}

const stepHandlers: StepHandlers = {
  add: async ({ phone }, { tab, which, quantity }) => {
    const { lineId } = requireOk(await addIn(phone.tabs[tab], { ...offerOf(phone, which), quantity }))
    const stray = await unexpectedLine(phone)
    expect(stray?.lineId).toBe(lineId)
    recordExpectedLine(phone, stray)
  },
  'set-quantity': async (run, { tab, line, quantity }) => {
    const { phone } = run
    const lineId = lineIdAt(phone, line)
    if (lineId === undefined) return
    const page = phone.tabs[tab]
    requireOk(
      await page.evaluate(([key, id, many]) => cartDriver.setQuantity(key, id, many), [
        phone.key,
        lineId,
        quantity,
      ] as const),
    )
    if (quantity === 0) phone.expectedLines.delete(lineId)
    else recordLineChange(phone, lineId, { quantity })
  },
  write: async ({ phone }, { tab, line, text }) => {
    const lineId = lineIdAt(phone, line)
    if (lineId === undefined || phone.expectedLines.get(lineId)?.text === null) return
    requireOk(await phone.tabs[tab].evaluate((given) => cartDriver.write(...given), [phone.key, lineId, text] as const))
    recordLineChange(phone, lineId, { text })
  },
  remove: async (run, { tab, line }) => {
    const { phone } = run
    const lineId = lineIdAt(phone, line)
    if (lineId === undefined) return
    const { removed } = requireOk(
      await phone.tabs[tab].evaluate((given) => cartDriver.remove(...given), [phone.key, lineId] as const),
    )
    run.removed = removed
    for (const one of removed) phone.expectedLines.delete(one.lineId)
  },
  'put-back': async (run, { tab }) => {
    const { phone, removed } = run
    if (removed.length === 0) return
    requireOk(await phone.tabs[tab].evaluate((given) => cartDriver.putBack(...given), [phone.key, removed] as const))
    const { lines } = await readDeviceCart(phone.tabs[tab], phone.key)
    for (const { lineId } of removed) {
      recordExpectedLine(
        phone,
        lines.find((one) => one.lineId === lineId),
      )
    }
    run.removed = []
  },
  clear: async (run, { tab }) => {
    const { phone } = run
    run.removed = requireOk(await phone.tabs[tab].evaluate((key) => cartDriver.clear(key), phone.key)).removed
    phone.expectedLines.clear()
  },
  'tap-more': async ({ phone }, { line }) => {
    const lineId = lineIdAt(phone, line)
    if (lineId !== undefined) await tapQuantity(phone, lineId, 1)
  },
  'tap-fewer': async ({ phone }, { line }) => {
    const lineId = lineIdAt(phone, line)
    if (lineId !== undefined) await tapQuantity(phone, lineId, -1)
  },
  choose: async ({ phone }, { which }) => {
    const [page] = phone.tabs
    const { subjectId, name } = offerOf(phone, which)
    await page.goto(phone.cartPath.replace('/cart', `/subject/${subjectId}/select-package`))
    await choosePackage(page, new RegExp(name.slice(0, 'Package A'.length)))
    await addToCart(page)
    await expect.poll(() => unexpectedLine(phone)).toBeDefined()
    recordExpectedLine(phone, await unexpectedLine(phone))
  },
  faults: async (run, { faults }) => void run.faults.push(...faults),
  'close-tab': (run, step) => endTabWhileAdding(run, step, (page) => page.close()),
  'crash-tab': (run, step) => endTabWhileAdding(run, step, crashTab),
  'stop-worker': ({ phone }) => stopServiceWorkers(phone.tabs[0]),
  'kill-server': async (run) => void run.pendingRecovery.push(run.killServer()),
  'move-clock': async ({ phone }, { byMs }) => {
    for (const page of phone.tabs) await page.evaluate((ms) => cartDriver.moveClock(ms), byMs)
  },
  'lose-network': async ({ phone: { proxy: line }, pendingRecovery: healing }, { forMs }) => {
    await line.disconnect()
    healing.push(wait(forMs).then(line.reconnect))
  },
  look: async (_, { forMs }) => wait(forMs),
}

/** Performs one step, then checks that the device holds exactly the expected lines in both tabs. */
export const performStep = async (run: SequenceRun, step: SequenceStep): Promise<void> => {
  await (stepHandlers[step.do] as StepHandler<SequenceStep['do']>)(run, step as never) // the table has a handler for each kind
  const { phone } = run
  for (const page of phone.tabs) {
    expect(sortedLines((await readDeviceCart(page, phone.key)).lines), `after ${JSON.stringify(step)}`).toEqual(
      sortedExpectedLines(phone.expectedLines),
    )
  }
}
