import { listCarts } from '#contract/customer/cart-calls.ts'
import { staleOrderMethods } from '#local/transport/pull-carts.ts'
import { type CallFailure, unreachable } from '#local/transport/request.ts'
import { callApi } from '#platform/api/api.ts'
import { database } from '#platform/database.ts'
import type { PrefetchJob } from '#platform/service-worker/prefetch-urls.ts'
import { pullJobCarts } from '#platform/sync/pull-job-carts.ts'
import type { HandOverDependencies } from './hand-over-acceptance.ts'

/** Loads a job's complete carts to this device; returns the failure, if any. */
export const pullHandedOverCarts =
  (studioSlug: string): HandOverDependencies['pull'] =>
  async ({ jobId, studioId, orderMethod }): Promise<CallFailure | null> => {
    const response = await callApi(listCarts, { params: { jobId } })
    if (!response.ok) return response
    const job: PrefetchJob = { studioSlug, studioId, jobId }
    await pullJobCarts({ ...job, live: response.data, orderMethod })
    const missing = await staleOrderMethods(database, { jobId, live: response.data })
    return missing.length > 0 ? unreachable : null
  }
