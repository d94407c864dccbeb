import { Dexie } from 'dexie'
import { IDBKeyRange, indexedDB } from 'fake-indexeddb'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { stepQuantity } from '#local/cart.ts'
import { sendingStateOf } from '#local/outbox/enqueue.ts'
import { updateSending } from '#local/outbox/sending-state.ts'
import { type CartSubscription, createCartSubscription, sendingLabelDelayMs } from '#local/store/cart-subscription.ts'
import type { CartView } from '#local/store/cart-view.ts'
import type { Timers } from '#local/transport/timers.ts'
import { add, type Device, gallery, openDevice } from '../device-fixture.ts'

// Live queries need a global IndexedDB, even if the database was opened with another one.
Object.assign(Dexie.dependencies, { indexedDB, IDBKeyRange })

let device: Device
let shownStates: string[]
let stop: () => void
let subscription: CartSubscription
let dueTimers: (() => void)[]

/** Timers that fire only when `fireTimers` is called. */
const timers: Timers = {
  after: (milliseconds, work) => {
    expect(milliseconds).toBe(sendingLabelDelayMs)
    dueTimers.push(work)
    return () => {
      dueTimers = dueTimers.filter((timer) => timer !== work)
    }
  },
}

const fireTimers = () => {
  for (const work of dueTimers.splice(0)) work()
}

const waitForState = (state: string) => vi.waitFor(() => expect(shownStates.at(-1)).toBe(state))
const recordState = ({ status, lines }: CartView) =>
  void shownStates.push([status.kind, ...lines.map(({ line }) => line.quantity)].join(' '))

/** Sets whether the cart is being sent. */
const setInFlight = async (inFlight: boolean) => {
  await device.db.sending.put(await sendingStateOf(device.db, gallery))
  await device.db.outbox.toCollection().modify({ state: 'sent' })
  await updateSending(device.db, gallery, () => ({ inFlight }))
}

beforeEach(async () => {
  dueTimers = []
  device = await openDevice()
  shownStates = []
  await add(device)
  subscription = createCartSubscription(device.db, gallery, timers)
  stop = subscription.subscribe(recordState, (reason) => shownStates.push(String(reason)))
})

afterEach(() => {
  stop()
  device.db.close()
})

it('“Sending…” is shown only after a delay', async () => {
  await waitForState('saved 1')
  await setInFlight(true)
  await add(device)
  await waitForState('saved 1 1')
  fireTimers()
  await waitForState('sending 1 1')
})

it('a short “Sending…” is never shown, and none after the last subscriber has left', async () => {
  await waitForState('saved 1')
  await setInFlight(true)
  await setInFlight(false)
  await add(device)
  await waitForState('saved 1 1')
  fireTimers()
  expect(shownStates.join()).not.toContain('sending')
  await setInFlight(true)
  stop()
  const before = shownStates.length
  fireTimers()
  expect(shownStates).toHaveLength(before)
})

const tapPlus = async (count: number) => {
  const lineId = (await device.db.outbox.toArray())[0]?.lineId ?? ''
  for (let tap = 0; tap < count; tap += 1) await stepQuantity(device.db, device.stamp, { ...gallery, lineId, by: 1 })
}

it('a tap shows “Saving…” until it is stored and the shown cart contains it', async () => {
  await waitForState('saved 1')
  const before = shownStates.length
  const writeStart = Promise.withResolvers<void>()
  const firstWrite = subscription.saving(() => writeStart.promise.then(() => tapPlus(1)))
  const secondWrite = subscription.saving(() => writeStart.promise.then(() => tapPlus(2)))
  expect(shownStates.slice(before)).toEqual(['saving 1', 'saving 1'])
  writeStart.resolve()
  await Promise.all([firstWrite, secondWrite])
  expect(shownStates.at(-1)).toBe('saved 4')
  expect(shownStates.slice(before).filter((state) => state.startsWith('saved'))).toEqual(['saved 4'])
})

it('a failed write ends “Saving…”, and its caller gets the error', async () => {
  await waitForState('saved 1')
  await expect(subscription.saving(() => Promise.reject(new Error('the disk is gone')))).rejects.toThrow(
    'the disk is gone',
  )
  expect(shownStates.at(-1)).toBe('saved 1')
})

it('a read that fails because the database was closed is repeated, without a further change', async () => {
  await waitForState('saved 1')
  const otherTab = device.anotherTab()
  const lineId = (await otherTab.outbox.toArray())[0]?.lineId ?? ''
  const closed = vi.spyOn(device.db, 'transaction')
  closed.mockImplementationOnce(() => Dexie.Promise.reject(new Dexie.DatabaseClosedError()))
  await stepQuantity(otherTab, device.stamp, { ...gallery, lineId, by: 1 })
  await waitForState('saved 2')
  await stepQuantity(otherTab, device.stamp, { ...gallery, lineId, by: 1 })
  await waitForState('saved 3')
  otherTab.close()
})
