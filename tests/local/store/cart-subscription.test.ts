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

// Live queries stand still where the platform has no IndexedDB, whatever a database was opened with.
Object.assign(Dexie.dependencies, { indexedDB, IDBKeyRange })

let device: Device
let seen: string[]
let stop: () => void
let reading: CartSubscription
let due: (() => void)[]

/** A clock that stands until `pass`. */
const timers: Timers = {
  after: (milliseconds, work) => {
    expect(milliseconds).toBe(sendingLabelDelayMs)
    due.push(work)
    return () => {
      due = due.filter((one) => one !== work)
    }
  },
}

const pass = () => {
  for (const work of due.splice(0)) work()
}

const said = (words: string) => vi.waitFor(() => expect(seen.at(-1)).toBe(words))
const note = ({ status, lines }: CartView) =>
  void seen.push([status.kind, ...lines.map(({ line }) => line.quantity)].join(' '))

/** A request is on its way, or came back. */
const send = async (inFlight: boolean) => {
  await device.db.sending.put(await sendingStateOf(device.db, gallery))
  await device.db.outbox.toCollection().modify({ state: 'sent' })
  await updateSending(device.db, gallery, () => ({ inFlight }))
}

beforeEach(async () => {
  due = []
  device = await openDevice()
  seen = []
  await add(device)
  reading = createCartSubscription(device.db, gallery, timers)
  stop = reading.subscribe(note, (reason) => seen.push(String(reason)))
})

afterEach(() => {
  stop()
  device.db.close()
})

it('what is on its way is said only once it has been for a while', async () => {
  await said('saved 1')
  await send(true)
  await add(device)
  await said('saved 1 1')
  pass()
  await said('sending 1 1')
})

it('what came and went within a blink is never said, nor after nobody looks any more', async () => {
  await said('saved 1')
  await send(true)
  await send(false)
  await add(device)
  await said('saved 1 1')
  pass()
  expect(seen.join()).not.toContain('sending')
  await send(true)
  stop()
  const before = seen.length
  pass()
  expect(seen).toHaveLength(before)
})

const steps = async (count: number) => {
  const lineId = (await device.db.outbox.toArray())[0]?.lineId ?? ''
  for (let tap = 0; tap < count; tap += 1) await stepQuantity(device.db, device.stamp, { ...gallery, lineId, by: 1 })
}

it('nothing is said to be saved from a tap on until it is written, and the cart that is shown has it by then', async () => {
  await said('saved 1')
  const before = seen.length
  const writing = Promise.withResolvers<void>()
  const one = reading.saving(() => writing.promise.then(() => steps(1)))
  const other = reading.saving(() => writing.promise.then(() => steps(2)))
  expect(seen.slice(before)).toEqual(['saving 1', 'saving 1'])
  writing.resolve()
  await Promise.all([one, other])
  expect(seen.at(-1)).toBe('saved 4')
  expect(seen.slice(before).filter((words) => words.startsWith('saved'))).toEqual(['saved 4'])
})

it('what could not be written is said to be saving no more, and its failure goes to whoever asked for it', async () => {
  await said('saved 1')
  await expect(reading.saving(() => Promise.reject(new Error('the disk is gone')))).rejects.toThrow('the disk is gone')
  expect(seen.at(-1)).toBe('saved 1')
})
