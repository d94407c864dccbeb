import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { withDatabaseRetry } from '#local/recovery/with-database-retry.ts'
import { pullCarts as pull, type ServerCarts, staleOrderMethods } from '#local/transport/pull-carts.ts'
import { callApi } from '../api/api.ts'
import { database } from '../database.ts'
import { prefetchSubject } from '../service-worker/prefetch.ts'
import type { PrefetchJob } from '../service-worker/prefetch-urls.ts'

type JobCarts = ServerCarts & PrefetchJob & { orderMethod: OrderMethod }

/**
 * Loads a job's carts from the server if they differ from the local ones, the current cart first, and caches their
 * subjects' images. Returns the order method of the cart to continue with if this device knew no filled cart of the
 * job; otherwise null.
 */
export const pullJobCarts = async ({
  live: serverCarts,
  orderMethod,
  ...job
}: JobCarts): Promise<OrderMethod | null> => {
  const { jobId } = job
  const pulled = await withDatabaseRetry(database, async () => {
    const stale = await staleOrderMethods(database, { jobId, live: serverCarts })
    const currentFirst = stale.toSorted(
      (first, second) => Number(second === orderMethod) - Number(first === orderMethod),
    )
    return await pull(
      database,
      callApi,
      currentFirst.map((method) => ({ jobId, orderMethod: method })),
    )
  })
  if ('ok' in pulled) return null
  for (const subjectId of pulled.subjectIds) prefetchSubject({ ...job, subjectId })
  return pulled.filled
}
