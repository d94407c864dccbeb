import type { LocalDatabase } from '../store/database.ts'
import type { CartKey, SendingState } from '../store/rows.ts'
import { cartKey } from './outbox-rows.ts'

/** Mutations without a result from the server: clearing this device now would lose them. */
export const unsentCount = (db: LocalDatabase): Promise<number> => db.outbox.where('state').anyOf('new', 'sent').count()

/**
 * The server can be reached: carts whose last request did not reach it are due now. Their back-off continues to grow if
 * that fails too.
 */
export const retryUnreachedNow = async (db: LocalDatabase): Promise<void> => {
  await db.sending.filter(({ unreached }) => unreached === true).modify({ nextAt: 0, unreached: false })
}

/** Stores the sending state after a response; does nothing if the device was cleared meanwhile. */
export const updateSending = (
  db: LocalDatabase,
  key: CartKey,
  change: (sending: SendingState) => Partial<SendingState>,
) =>
  db.transaction('rw', db.sending, async () => {
    const sending = await db.sending.get(cartKey(key))
    if (sending) await db.sending.put({ ...sending, inFlight: false, unreached: false, ...change(sending) })
  })
