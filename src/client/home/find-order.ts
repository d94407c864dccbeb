import { searchOrder } from '#contract/customer/checkout-calls.ts'
import { lookUpJob } from '#contract/customer/discovery-calls.ts'
import { keepOrder } from '#local/checkout.ts'
import { causeOf } from '#local/transport/failure-cause.ts'
import type { Failed } from '#local/transport/request.ts'
import { ask } from '#platform/api/api.ts'
import { announceChange } from '#platform/api/cache-updates.ts'
import { forgetAnswers } from '#platform/api/use-query.ts'
import { local, stamp } from '#platform/database.ts'
import { urls } from '#platform/urls.ts'
import type { FindOrder, OrderSearchResult } from './order-search.ts'

/** Only a 404, or what cannot be an order at all, says that there is none; a visit that the server does not know says nothing of it. */
const failed = (answer: Failed): OrderSearchResult =>
  causeOf(answer) === 'not-there' || answer.status === 400 ? 'not-found' : { failure: answer.errors.join('. ') }

/** Searches the order, keeps it on the device, looks its job up and answers the address of the order (section 4). */
export const findOrder: FindOrder = async ({ email, orderNumber: typed }) => {
  const found = await ask(searchOrder, { query: { orderNumber: typed, email } })
  if (!found.ok) return failed(found)
  const { jobId, orderNumber, order } = found.data
  // A device that keeps nothing still shows the order: it was found.
  await keepOrder(local, stamp, order).catch(console.warn)
  const job = await ask(lookUpJob, { params: { jobId } })
  if (!job.ok) return failed(job)
  forgetAnswers()
  announceChange(null)
  return { address: urls.order({ studioSlug: job.data.studioWebUrl, jobId, orderNumber }) }
}
