import { useLiveQuery } from 'dexie-react-hooks'
import { useEffect } from 'react'
import { getOrder, type Order } from '#contract/customer/checkout-calls.ts'
import { keepOrder, readOrder } from '#local/checkout.ts'
import { surviving } from '#local/recovery/with-database-retry.ts'
import type { Failed } from '#local/transport/request.ts'
import { useAsk } from '#platform/api/use-query.ts'
import { local, stamp } from '#platform/database.ts'

export type OrderNow = {
  order: Order | undefined
  /** This device ordered it or found it, though what it holds may not be here yet. */
  known: boolean
  problem: Failed | undefined
  loading: boolean
  again: () => void
}

/** An order: what this device keeps of it at once, the newest behind it; each answer is kept for when there is no network. */
export const useOrder = (jobId: number, orderNumber: string): OrderNow => {
  // `null` where it is not kept: undefined says that the device was not asked yet.
  const kept = useLiveQuery(async () => {
    const found = await surviving(local, () => readOrder(local, orderNumber))
    return found && 'orderNumber' in found ? found : null
  }, [orderNumber])
  const asked = useAsk(getOrder, Number.isNaN(jobId) ? null : { params: { jobId, orderId: orderNumber } })
  const newest = asked.data
  useEffect(() => {
    if (newest) void surviving(local, () => keepOrder(local, stamp, newest))
  }, [newest])
  const order = newest ?? kept?.order ?? undefined
  return {
    order,
    known: order !== undefined || kept !== null,
    problem: asked.problem,
    loading: kept === undefined || (asked.loading && order === undefined),
    again: asked.again,
  }
}
