import { useLiveQuery } from 'dexie-react-hooks'
import { currentAttempt } from '#local/checkout.ts'
import type { CartKey } from '#local/store/database.ts'
import { local } from '#platform/database.ts'

/** Whether a payment of this cart waits for its outcome; undefined until the device was asked. */
export const useUnderWay = ({ jobId, orderMethod }: CartKey): boolean | undefined =>
  useLiveQuery(async () => (await currentAttempt(local, { jobId, orderMethod })) !== null, [jobId, orderMethod])
