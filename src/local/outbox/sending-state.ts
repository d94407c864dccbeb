import type { CartKey, LocalDatabase, SendingState } from '../store/database.ts'
import { cartKey } from './outbox-rows.ts'

/** Mutations the server has not settled: what would be lost by finishing now. */
export const unsentCount = (db: LocalDatabase): Promise<number> => db.outbox.where('state').anyOf('new', 'sent').count()

/** The server can be reached: carts whose last request did not reach it are due now. Their back-off goes on growing if that fails too. */
export const endUnreachedWaits = async (db: LocalDatabase): Promise<void> => {
  await db.sending.filter(({ unreached }) => unreached === true).modify({ nextAt: 0, unreached: false })
}

/** Writes down how sending stands after an answer. Nothing when the device was finished meanwhile. */
export const updateSending = (
  db: LocalDatabase,
  key: CartKey,
  change: (sending: SendingState) => Partial<SendingState>,
) =>
  db.transaction('rw', db.sending, async () => {
    const sending = await db.sending.get(cartKey(key))
    if (sending) await db.sending.put({ ...sending, inFlight: false, unreached: false, ...change(sending) })
  })
