import { getJobServices } from '#contract/customer/job-offers.ts'
import type { Cart } from '#domain/cart/cart.ts'
import { cartServicesOf } from '#domain/cart/order-services.ts'
import { useQuery } from '#platform/api/use-query.ts'
import { type JobContextValue, useJobContext } from '../job/job-context.tsx'
import { type OrderedService, orderedServices } from './ordered-services.ts'

type JobRef = Pick<JobContextValue, 'jobId' | 'studio'>

const requestOf = ({ jobId, studio }: JobRef) => ({ params: { studioId: studio.id, jobId } })

/** The job's order services; cached on the device like all offers. */
export const useOfferedServices = () => useQuery(getJobServices, requestOf(useJobContext()))

/** The services of a cart with their names; requests nothing for a cart without services. */
export const useOrderedServices = (job: JobRef, cart: Cart): OrderedService[] => {
  const { data } = useQuery(getJobServices, cartServicesOf(cart).length > 0 ? requestOf(job) : null)
  return orderedServices(cart, data)
}
