import { lookUpJob } from '#contract/customer/discovery-calls.ts'
import { searchOrder } from '#contract/customer/order-calls.ts'
import { saveOrder } from '#local/store/stored-orders.ts'
import { failureCauseOf } from '#local/transport/failure-cause.ts'
import type { CallFailure } from '#local/transport/request.ts'
import { callApi } from '#platform/api/api.ts'
import { notifyCacheUpdate } from '#platform/api/cache-updates.ts'
import { clearQueryCache } from '#platform/api/use-query.ts'
import { database, stamp } from '#platform/database.ts'
import { urls } from '#platform/urls.ts'
import type { FindOrder, OrderSearchResult } from './order-search.ts'

/** Only a 404 or a 400 (an invalid order number) means that there is no such order; an unknown session does not. */
const toSearchFailure = (response: CallFailure): OrderSearchResult =>
  failureCauseOf(response) === 'not-found' || response.status === 400
    ? 'not-found'
    : { failure: response.errors.join('. ') }

/** Searches the order, stores it on the device, looks up its job and returns the order's URL (section 4). */
export const findOrder: FindOrder = async ({ email, orderNumber: text }) => {
  const response = await callApi(searchOrder, { query: { orderNumber: text, email } })
  if (!response.ok) return toSearchFailure(response)
  const { jobId, orderNumber, order } = response.data
  // If storing fails, the order is shown anyway.
  await saveOrder(database, stamp, order).catch(console.warn)
  const job = await callApi(lookUpJob, { params: { jobId } })
  if (!job.ok) return toSearchFailure(job)
  clearQueryCache()
  notifyCacheUpdate(null)
  return { address: urls.order({ studioSlug: job.data.studioWebUrl, jobId, orderNumber }) }
}
