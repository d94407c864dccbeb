import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { CartPackage } from '../../src/domain/cart.ts'
import { askBy } from '../../src/local/ask.ts'
import { customiseLine, setQuantity } from '../../src/local/cart.ts'
import { tabLocks } from '../../src/local/locks.ts'
import { refreshCart } from '../../src/local/refresh-cart.ts'
import { clearCart, removeLine, undoRemove } from '../../src/local/removals.ts'
import type { Sender } from '../../src/local/sender.ts'
import { recover } from '../../src/local/visits.ts'
import { noContent, textChoice } from '../domain/examples.ts'
import type { Fault } from '../support/model-server.ts'
import { add, type Device, drainFully, gallery, offered, openDevice, view } from './a-device.ts'

type Step =
  | { do: 'add'; which: number; quantity: number }
  | { do: 'quantity'; line: number; quantity: number }
  | { do: 'text'; line: number; text: string }
  | { do: 'remove'; line: number }
  | { do: 'clear' | 'undo' | 'wait' | 'crash' | 'forget' }
  | { do: 'send'; tab: 0 | 1; together: boolean; faults: Fault[] }

const fault = fc.constantFrom<Fault>('cut-before', 'cut-after', 'cut-midway', 'session-lost', 409, 429, 500, 503)
const line = fc.nat(9)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      which: fc.nat(3),
      quantity: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('quantity' as const), line, quantity: fc.nat(4) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('text' as const), line, text: fc.constantFrom('Ada', 'Bo', '') }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), line }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('clear' as const, 'undo', 'wait', 'crash', 'forget') }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      tab: fc.constantFrom(0 as const, 1 as const),
      together: fc.boolean(),
      faults: fc.array(fault, { maxLength: 4 }),
    }),
  },
)

/** What the device told the customer, kept by the customer: package, quantity and text by line. */
type Told = Map<string, { packageId: number; quantity: number; text: string }>

type Run = { device: Device; told: Told; senders: [Sender, Sender]; lost: CartPackage[]; ghosts: Promise<unknown>[] }

const forgetLines = (told: Told, lines: CartPackage[]) => {
  for (const { lineId } of lines) told.delete(lineId)
}

const textOf = (one: CartPackage) => one.cartPackageItems[0]?.textNodes[0]?.value ?? ''

const content = (text: string) => ({ ...noContent, textNodes: [textChoice(21, text)] })

const act = async (run: Run, step: Step): Promise<void> => {
  const { device, told, senders } = run
  const { db, stamp } = device
  const lineId = 'line' in step ? ([...told.keys()][step.line] ?? null) : null
  const own = lineId === null ? undefined : told.get(lineId)
  if (step.do === 'add') {
    const of = offered[step.which] ?? offered[0]
    // The cart rules may say no to an add-on: then the customer was told so.
    const added = of && (await add(device, of, step.quantity).catch(() => null))
    if (added && of) told.set(added.lineId, { packageId: of.id, quantity: step.quantity, text: '' })
  }
  if (step.do === 'quantity' && own && lineId) {
    const changed = await setQuantity(db, stamp, { ...gallery, lineId, quantity: step.quantity })
    if (!changed.ok) throw new Error(changed.problem)
    if (step.quantity === 0) told.delete(lineId)
    else told.set(lineId, { ...own, quantity: step.quantity })
    forgetLines(told, changed.dropped)
  }
  if (step.do === 'text' && own && lineId) {
    await customiseLine(db, stamp, { ...gallery, lineId, content: content(step.text) })
    told.set(lineId, { ...own, text: step.text })
  }
  if ((step.do === 'remove' && lineId) || step.do === 'clear') {
    const removed = lineId ? await removeLine(db, stamp, { ...gallery, lineId }) : await clearCart(db, stamp, gallery)
    if (!removed.ok) throw new Error(removed.problem)
    forgetLines(told, removed.removed)
    run.lost = removed.removed
  }
  if (step.do === 'undo' && run.lost.length > 0) {
    const back = await undoRemove(db, stamp, { ...gallery, removed: run.lost })
    const lines = back.ok ? run.lost : []
    for (const one of lines)
      told.set(one.lineId, { packageId: one.packageId, quantity: one.quantity, text: textOf(one) })
    run.lost = []
  }
  if (step.do === 'wait') device.time.now += 5_000
  if (step.do === 'forget') device.server.forget()
  if (step.do === 'send') {
    device.server.faults.push(...step.faults)
    const [one, other] = senders
    if (step.together) await Promise.all([one.drain(), other.drain()])
    else await senders[step.tab].drain()
    device.server.faults.length = 0
  }
  if (step.do === 'crash') {
    // Mid-request: what the old tab still does is done by a ghost, as by a frozen tab that wakes up.
    run.ghosts.push(senders[0].drain().catch(() => undefined))
    for (const sender of senders) sender.stop()
    device.reopen()
    run.senders = [device.sender(), device.sender()]
  }
}

const shown = (lines: readonly CartPackage[]) =>
  lines.map((one) => [one.lineId, one.packageId, one.quantity, textOf(one)]).sort()

const runAll = async (steps: Step[]): Promise<void> => {
  const device = await openDevice()
  const run: Run = { device, told: new Map(), senders: [device.sender(), device.sender()], lost: [], ghosts: [] }
  const expected = () =>
    [...run.told].map(([lineId, { packageId, quantity, text }]) => [lineId, packageId, quantity, text]).sort()
  for (const one of steps) {
    await act(run, one)
    expect(shown((await view(device)).cart.cartPackages)).toEqual(expected())
  }
  await Promise.all(run.ghosts)
  await drainFully(device, run.senders[0])
  // The customer opens the cart: what the server forgot meanwhile comes to light, and is made good.
  const ask = askBy(device.server.carry)
  const looked = await refreshCart(device.db, ask, gallery)
  if (!looked.ok) await recover(device.db, ask, { locks: tabLocks, stamp: device.stamp })
  await drainFully(device, run.senders[0])
  const { cart, status, refused } = await view(device)
  expect(refused).toEqual([])
  expect(await device.db.outbox.count()).toBe(0)
  expect(shown(device.server.cart(1, 'gallery').cartPackages)).toEqual(expected())
  expect(shown(cart.cartPackages)).toEqual(expected())
  expect(status.kind).toBe(run.told.size > 0 ? 'sent' : 'empty')
  expect([...device.server.effects.values()].every((times) => times === 1)).toBe(true)
  expect(device.server.crowd()).toBeLessThanOrEqual(1)
  device.db.close()
}

const runs = process.env.LONG ? 2_000 : 200

it(`keeps, sends and shows exactly what the customer was told, whatever happens (${runs} sequences)`, async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), runAll), { numRuns: runs })
}, 600_000)
