import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { withDatabaseRetry } from '#local/recovery/with-database-retry.ts'
import { pullCarts as pull, type ServerCarts, staleOrderMethods } from '#local/transport/pull-carts.ts'
import { callApi } from '../api/api.ts'
import { database } from '../database.ts'
import { prefetchSubject } from '../service-worker/prefetch.ts'
import type { PrefetchJob } from '../service-worker/prefetch-urls.ts'

type Here = ServerCarts & PrefetchJob & { orderMethod: OrderMethod }

/**
 * Takes an event's carts from the server where they stand otherwise than here, the one in front of the customer first, and has their
 * people's pictures kept. Answers which way of ordering holds packages where none was known here to hold any.
 */
export const pullJobCarts = async ({ live, orderMethod, ...event }: Here): Promise<OrderMethod | null> => {
  const { jobId } = event
  const pulled = await withDatabaseRetry(database, async () => {
    const stale = await staleOrderMethods(database, { jobId, live })
    const inOrder = stale.toSorted((one, other) => Number(other === orderMethod) - Number(one === orderMethod))
    return await pull(
      database,
      callApi,
      inOrder.map((method) => ({ jobId, orderMethod: method })),
    )
  })
  if ('ok' in pulled) return null
  for (const subjectId of pulled.subjectIds) prefetchSubject({ ...event, subjectId })
  return pulled.filled
}
