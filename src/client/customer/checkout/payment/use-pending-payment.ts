import { useLiveQuery } from 'dexie-react-hooks'
import { currentPaymentAttempt } from '#local/checkout.ts'
import type { CartKey } from '#local/store/database.ts'
import { database } from '#platform/database.ts'

/** Whether a payment of this cart is pending; undefined until the database has been read. */
export const usePendingPayment = ({ jobId, orderMethod }: CartKey): boolean | undefined =>
  useLiveQuery(
    async () => (await currentPaymentAttempt(database, { jobId, orderMethod })) !== null,
    [jobId, orderMethod],
  )
