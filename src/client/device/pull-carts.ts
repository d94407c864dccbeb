import type { OrderMethod } from '../../domain/catalogue.ts'
import { type AtServer, pullCarts as pull, staleMethods } from '../../local/pull-carts.ts'
import { surviving } from '../../local/surviving.ts'
import { ask } from './ask.ts'
import { local } from './local.ts'
import { warmPerson } from './warm.ts'
import type { WarmEvent } from './warm-addresses.ts'

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
