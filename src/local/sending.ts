import { cartKey } from './cart-view.ts'
import type { CartKey, LocalDatabase, Sending } from './database.ts'

/** Writes down how sending stands after an answer. Nothing when the device was finished meanwhile. */
export const updateSending = (db: LocalDatabase, key: CartKey, change: (sending: Sending) => Partial<Sending>) =>
  db.transaction('rw', db.sending, async () => {
    const sending = await db.sending.get(cartKey(key))
    if (sending) await db.sending.put({ ...sending, inFlight: false, ...change(sending) })
  })
