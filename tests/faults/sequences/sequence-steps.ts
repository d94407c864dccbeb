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
  /** Promises that must resolve before the phone has recovered. */
  pendingRecovery: Promise<unknown>[]
  killServer: () => Promise<void>
}

type StepHandler<Kind extends SequenceStep['do']> = (
  run: SequenceRun,
  step: SequenceStep & { do: Kind },
) => Promise<void>
type StepHandlers = { [Kind in SequenceStep['do']]: StepHandler<Kind> }

/** Uses the planned faults first, then random ones. Requests other than cart syncs have no faults. */
export const sequenceFaultPlan = (seed: number, faults: NetworkFault[]): FaultPlan => {
  const randomFault = randomFaults(seed, backgroundFaultOdds, syncRequest)
  return (target) =>
    syncRequest.test(`${target.method} ${target.path}`) ? (faults.shift() ?? randomFault(target)) : 'none'
}

const packageAt = ({ offers }: TwoTabPhone, packageIndex: number): AddablePackage => {
  const offer = offers[packageIndex % offers.length]
  if (!offer) throw new Error('there is no package to add')
  return offer
}

const lineIdAt = ({ expectedLines }: TwoTabPhone, line: number): string | undefined =>
  [...expectedLines.keys()][line % Math.max(1, expectedLines.size)]

const requireOk = <Result extends { ok: boolean }>(result: Result): Extract<Result, { ok: true }> => {
  if (!result.ok) throw new Error(`it was rejected: ${JSON.stringify(result)}`)
  return result as Extract<Result, { ok: true }> // checked on the line above
}

/** Copies what the device reports of one line into the expected lines. */
const recordExpectedLine = (phone: TwoTabPhone, line: DeviceLine | undefined): void => {
  if (!line) throw new Error('the line is missing')
  const { lineId, packageId, quantity, text } = line
  phone.expectedLines.set(lineId, { packageId, quantity, text })
}

const recordLineChange = (phone: TwoTabPhone, lineId: string, change: { quantity?: number; text?: string }): void => {
  const expectedLine = phone.expectedLines.get(lineId)
  if (!expectedLine) throw new Error('no such line is expected')
  phone.expectedLines.set(lineId, { ...expectedLine, ...change })
}

const findUnexpectedLine = async (phone: TwoTabPhone): Promise<DeviceLine | undefined> => {
  const [page] = phone.tabs
  const { lines } = await readDeviceCart(page, phone.key)
  return lines.find(({ lineId }) => !phone.expectedLines.has(lineId))
}

const addPackage = (page: Page, offer: AddablePackage) => page.evaluate((line) => cartDriver.add(line), offer)

const cartLineCard = (phone: TwoTabPhone, number: number) => {
  const [page] = phone.tabs
  return page.getByRole('article').filter({ has: page.locator(`a[href$="/edit-cart-package/${number}"]`) })
}

/** Taps on a line's card and waits until the device has stored the new quantity. */
const tapQuantity = async (phone: TwoTabPhone, lineId: string, difference: 1 | -1): Promise<void> => {
  const [page] = phone.tabs
  const { lines } = await readDeviceCart(page, phone.key)
  const deviceLine = lines.find((line) => line.lineId === lineId)
  if (!deviceLine) throw new Error('the line is missing')
  const quantity = deviceLine.quantity + difference
  const name = difference === 1 ? /^One more / : quantity === 0 ? /^Remove / : /^One fewer /
  await cartLineCard(phone, deviceLine.number).getByRole('button', { name }).first().click()
  const storedQuantity = async () =>
    (await readDeviceCart(page, phone.key)).lines.find((line) => line.lineId === lineId)?.quantity ?? 0
  await expect.poll(storedQuantity).toBe(quantity)
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

/** Ends a tab while it adds a package. If the tab did not report the result, the line may or may not have been stored. */
const endTabWhileAdding = async (
  { phone }: SequenceRun,
  { tab, packageIndex }: EndTabStep,
  end: (page: Page) => Promise<void>,
) => {
  const offer = packageAt(phone, packageIndex)
  const page = phone.tabs[tab]
  const adding = addPackage(page, offer).catch(() => null)
  await end(page)
  const result = await adding
  await reopenTabs(phone)
  const addedLine = await findUnexpectedLine(phone)
  if (result) expect(addedLine?.lineId).toBe(requireOk(result).lineId)
  if (addedLine) recordExpectedLine(phone, addedLine)
}

const stepHandlers: StepHandlers = {
  add: async ({ phone }, { tab, packageIndex, quantity }) => {
    const { lineId } = requireOk(await addPackage(phone.tabs[tab], { ...packageAt(phone, packageIndex), quantity }))
    const addedLine = await findUnexpectedLine(phone)
    expect(addedLine?.lineId).toBe(lineId)
    recordExpectedLine(phone, addedLine)
  },
  'set-quantity': async (run, { tab, line, quantity }) => {
    const { phone } = run
    const lineId = lineIdAt(phone, line)
    if (lineId === undefined) return
    const page = phone.tabs[tab]
    requireOk(
      await page.evaluate(([key, id, newQuantity]) => cartDriver.setQuantity(key, id, newQuantity), [
        phone.key,
        lineId,
        quantity,
      ] as const),
    )
    if (quantity === 0) phone.expectedLines.delete(lineId)
    else recordLineChange(phone, lineId, { quantity })
  },
  'set-text': async ({ phone }, { tab, line, text }) => {
    const lineId = lineIdAt(phone, line)
    if (lineId === undefined || phone.expectedLines.get(lineId)?.text === null) return
    requireOk(await phone.tabs[tab].evaluate((args) => cartDriver.setText(...args), [phone.key, lineId, text] as const))
    recordLineChange(phone, lineId, { text })
  },
  remove: async (run, { tab, line }) => {
    const { phone } = run
    const lineId = lineIdAt(phone, line)
    if (lineId === undefined) return
    const { removed } = requireOk(
      await phone.tabs[tab].evaluate((args) => cartDriver.remove(...args), [phone.key, lineId] as const),
    )
    run.removed = removed
    for (const line of removed) phone.expectedLines.delete(line.lineId)
  },
  'undo-removal': async (run, { tab }) => {
    const { phone, removed } = run
    if (removed.length === 0) return
    requireOk(await phone.tabs[tab].evaluate((args) => cartDriver.undoRemoval(...args), [phone.key, removed] as const))
    const { lines } = await readDeviceCart(phone.tabs[tab], phone.key)
    for (const { lineId } of removed) {
      recordExpectedLine(
        phone,
        lines.find((line) => line.lineId === lineId),
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
  'add-by-touch': async ({ phone }, { packageIndex }) => {
    const [page] = phone.tabs
    const { subjectId, name } = packageAt(phone, packageIndex)
    await page.goto(phone.cartPath.replace('/cart', `/subject/${subjectId}/select-package`))
    await choosePackage(page, new RegExp(name.slice(0, 'Package A'.length)))
    await addToCart(page)
    await expect.poll(() => findUnexpectedLine(phone)).toBeDefined()
    recordExpectedLine(phone, await findUnexpectedLine(phone))
  },
  faults: async (run, { faults }) => void run.faults.push(...faults),
  'close-tab': (run, step) => endTabWhileAdding(run, step, (page) => page.close()),
  'crash-tab': (run, step) => endTabWhileAdding(run, step, crashTab),
  'stop-worker': ({ phone }) => stopServiceWorkers(phone.tabs[0]),
  'kill-server': async (run) => void run.pendingRecovery.push(run.killServer()),
  'move-clock': async ({ phone }, { byMs }) => {
    for (const page of phone.tabs) await page.evaluate((ms) => cartDriver.moveClock(ms), byMs)
  },
  'lose-network': async ({ phone: { proxy }, pendingRecovery }, { forMs }) => {
    await proxy.disconnect()
    pendingRecovery.push(wait(forMs).then(proxy.reconnect))
  },
  wait: async (_, { forMs }) => wait(forMs),
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
