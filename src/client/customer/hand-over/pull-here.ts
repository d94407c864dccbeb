import { listCarts } from '../../../contract/customer-cart.ts'
import { type Failed, unreachable } from '../../../local/ask.ts'
import { staleMethods } from '../../../local/pull-carts.ts'
import { ask } from '../../device/ask.ts'
import { local } from '../../device/local.ts'
import { pullCarts } from '../../device/pull-carts.ts'
import type { WarmEvent } from '../../device/warm-addresses.ts'
import type { Taking } from './taking.ts'

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
