import { Dexie } from 'dexie'
import { IDBKeyRange, indexedDB } from 'fake-indexeddb'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { cartReading, sendingWordsMs } from '../../src/local/cart-reading.ts'
import type { CartView } from '../../src/local/cart-view.ts'
import { sendingOf } from '../../src/local/outbox.ts'
import { updateSending } from '../../src/local/sending.ts'
import type { Timers } from '../../src/local/timers.ts'
import { add, type Device, gallery, openDevice } from './a-device.ts'

// Live queries stand still where the platform has no IndexedDB, whatever a database was opened with.
Object.assign(Dexie.dependencies, { indexedDB, IDBKeyRange })

let device: Device
let seen: string[]
let stop: () => void
let due: (() => void)[]

/** A clock that stands until `pass`. */
const timers: Timers = {
  after: (milliseconds, work) => {
    expect(milliseconds).toBe(sendingWordsMs)
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
  void seen.push([status.kind, ...lines.map((line) => line.state)].join(' '))

/** A request is on its way, or came back. */
const send = async (inFlight: boolean) => {
  await device.db.sending.put(await sendingOf(device.db, gallery))
  await device.db.outbox.toCollection().modify({ state: 'sent' })
  await updateSending(device.db, gallery, () => ({ inFlight }))
}

beforeEach(async () => {
  due = []
  device = await openDevice()
  seen = []
  await add(device)
  stop = cartReading(device.db, gallery, timers).subscribe(note, (reason) => seen.push(String(reason)))
})

afterEach(() => {
  stop()
  device.db.close()
})

it('what is on its way is said only once it has been for a while', async () => {
  await said('saved saved')
  await send(true)
  await add(device)
  await said('saved saved saved')
  pass()
  await said('sending sending saved')
})

it('what came and went within a blink is never said, nor after nobody looks any more', async () => {
  await said('saved saved')
  await send(true)
  await send(false)
  await add(device)
  await said('saved saved saved')
  pass()
  expect(seen.join()).not.toContain('sending')
  await send(true)
  stop()
  const before = seen.length
  pass()
  expect(seen).toHaveLength(before)
})
