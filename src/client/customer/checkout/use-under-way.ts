import { useLiveQuery } from 'dexie-react-hooks'
import { currentAttempt } from '../../../local/checkouts.ts'
import type { CartKey } from '../../../local/database.ts'
import { local } from '../../device/local.ts'

/** Whether a payment of this cart waits for its outcome; undefined until the device was asked. */
export const useUnderWay = ({ jobId, orderMethod }: CartKey): boolean | undefined =>
  useLiveQuery(async () => (await currentAttempt(local, { jobId, orderMethod })) !== null, [jobId, orderMethod])
