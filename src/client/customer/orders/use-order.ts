import { useLiveQuery } from 'dexie-react-hooks'
import { useEffect } from 'react'
import { getOrder, type Order } from '#contract/customer/order-calls.ts'
import { withDatabaseRetry } from '#local/recovery/with-database-retry.ts'
import { readOrder, saveOrder } from '#local/store/stored-orders.ts'
import type { CallFailure } from '#local/transport/request.ts'
import { useQuery } from '#platform/api/use-query.ts'
import { database, stamp } from '#platform/database.ts'

export type OrderResult = {
  order: Order | undefined
  /** This device placed or found the order, even if its details are not loaded yet. */
  isKnown: boolean
  problem: CallFailure | undefined
  loading: boolean
  refetch: () => void
}

/** An order: the stored copy at once, then the server's. Each response is stored for offline use. */
export const useOrder = (jobId: number, orderNumber: string): OrderResult => {
  // `null` if not stored; undefined while the database is being read.
  const stored = useLiveQuery(async () => {
    const order = await withDatabaseRetry(database, () => readOrder(database, orderNumber))
    return order && 'orderNumber' in order ? order : null
  }, [orderNumber])
  const query = useQuery(getOrder, Number.isNaN(jobId) ? null : { params: { jobId, orderId: orderNumber } })
  const newest = query.data
  useEffect(() => {
    if (newest) void withDatabaseRetry(database, () => saveOrder(database, stamp, newest))
  }, [newest])
  const order = newest ?? stored?.order ?? undefined
  return {
    order,
    isKnown: order !== undefined || stored !== null,
    problem: query.problem,
    loading: stored === undefined || (query.loading && order === undefined),
    refetch: query.refetch,
  }
}
