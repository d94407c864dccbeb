import { useLiveQuery } from 'dexie-react-hooks'
import { useCallback, useEffect, useState } from 'react'
import { selectOrderMethod } from '#client/customer/shared/job/select-order-method.ts'
import type { CustomerJob, JobAvailability } from '#contract/customer/discovery-calls.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { withDatabaseRetry } from '#local/recovery/with-database-retry.ts'
import { readOrderMethod, saveOrderMethod } from '#local/store/chosen-order-method.ts'
import { database } from '#platform/database.ts'
import { toastError } from '#ui/toast/toast.ts'

/** The method of the event's cart that was filled last on this device; null where that is empty. */
const filledMethod = async (jobId: number): Promise<OrderMethod | null> => {
  const fact = await database.device.get('cart')
  const cart = fact?.key === 'cart' ? fact.value : null
  return cart && cart.cartJobId === jobId && cart.cartPackageCount > 0 ? cart.orderMethod : null
}

// What the customer chose goes before the cart they filled: to fill another they have to choose it.
const kept = async (jobId: number): Promise<OrderMethod | null> =>
  (await readOrderMethod(database, jobId)) ?? (await filledMethod(jobId))

type Wanted = { jobId: number; method: OrderMethod | null }

/**
 * The order method this tab works with, and how to take another: it begins with what the device keeps, read once, and is the tab's own
 * from then on, so that no tap in another tab puts another cart under this one's screens.
 */
const useWanted = (jobId: number) => {
  const [wanted, setWanted] = useState<Wanted>()
  useEffect(() => {
    const begin = async () => {
      const method = await withDatabaseRetry(database, () => kept(jobId))
      const found = { jobId, method: typeof method === 'string' ? method : null }
      setWanted((own) => (own?.jobId === jobId ? own : found))
    }
    void begin()
  }, [jobId])
  const want = useCallback((method: OrderMethod) => setWanted({ jobId, method }), [jobId])
  return { wanted: wanted?.jobId === jobId ? wanted.method : undefined, want }
}

type Facts = { jobId: number; availability: JobAvailability | undefined; job: CustomerJob | undefined }

/** The order method in front of the customer, and how to take another; undefined until it can be told. */
export const useOrderMethod = ({ jobId, availability, job }: Facts) => {
  const { wanted, want } = useWanted(jobId)
  const filled = useLiveQuery(() => filledMethod(jobId), [jobId])
  const chooseOrderMethod = useCallback(
    async (orderMethod: OrderMethod) => {
      want(orderMethod)
      const failed = await withDatabaseRetry(database, () => saveOrderMethod(database, { jobId, orderMethod }))
      if (failed) toastError([failed.message])
    },
    [jobId, want],
  )
  const isKnown = availability && job && wanted !== undefined
  const choice = isKnown
    ? selectOrderMethod({ availability, hasPublishedImages: job.hasPublishedImages, wanted })
    : undefined
  const method = choice?.method
  useEffect(() => {
    // Without a choice, the first package into the cart in front is one: a method that opens later must not put another cart there.
    if (wanted === null && method && method !== 'unknown' && method === filled) want(method)
  }, [wanted, method, filled, want])
  return { choice, chooseOrderMethod }
}
