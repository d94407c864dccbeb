import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { surviving } from '#local/recovery/with-database-retry.ts'
import { type AtServer, pullCarts as pull, staleMethods } from '#local/transport/pull-carts.ts'
import { ask } from '../api/api.ts'
import { local } from '../database.ts'
import { warmPerson } from '../service-worker/prefetch.ts'
import type { WarmEvent } from '../service-worker/prefetch-urls.ts'

type Here = AtServer & WarmEvent & { orderMethod: OrderMethod }

/**
 * Takes an event's carts from the server where they stand otherwise than here, the one in front of the customer first, and has their
 * people's pictures kept. Answers which way of ordering holds packages where none was known here to hold any.
 */
export const pullCarts = async ({ live, orderMethod, ...event }: Here): Promise<OrderMethod | null> => {
  const { jobId } = event
  const pulled = await surviving(local, async () => {
    const stale = await staleMethods(local, { jobId, live })
    const inOrder = stale.toSorted((one, other) => Number(other === orderMethod) - Number(one === orderMethod))
    return await pull(
      local,
      ask,
      inOrder.map((method) => ({ jobId, orderMethod: method })),
    )
  })
  if ('ok' in pulled) return null
  for (const subjectId of pulled.subjectIds) warmPerson({ ...event, subjectId })
  return pulled.filled
}
