import { listCarts } from '#contract/customer/cart-calls.ts'
import { staleMethods } from '#local/transport/pull-carts.ts'
import { type Failed, unreachable } from '#local/transport/request.ts'
import { ask } from '#platform/api/api.ts'
import { local } from '#platform/database.ts'
import type { WarmEvent } from '#platform/service-worker/prefetch-urls.ts'
import { pullCarts } from '#platform/sync/pull-job-carts.ts'
import type { Taking } from './hand-over-acceptance.ts'

/** Brings an event's carts to this device, whole; says why they are not here yet. */
export const pullHere =
  (studioSlug: string): Taking['pull'] =>
  async ({ jobId, studioId, orderMethod }): Promise<Failed | null> => {
    const answer = await ask(listCarts, { params: { jobId } })
    if (!answer.ok) return answer
    const event: WarmEvent = { studioSlug, studioId, jobId }
    await pullCarts({ ...event, live: answer.data, orderMethod })
    const missing = await staleMethods(local, { jobId, live: answer.data })
    return missing.length > 0 ? unreachable : null
  }
