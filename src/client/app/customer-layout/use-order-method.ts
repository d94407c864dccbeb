import { useLiveQuery } from 'dexie-react-hooks'
import { useCallback, useEffect, useState } from 'react'
import { orderMethodToShow } from '#client/customer/shared/job/select-order-method.ts'
import type { CustomerJob, JobAvailability } from '#contract/customer/discovery-calls.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { withDatabaseRetry } from '#local/recovery/with-database-retry.ts'
import { readOrderMethod, saveOrderMethod } from '#local/store/device-entries.ts'
import { database } from '#platform/database.ts'
import { toastError } from '#ui/toast/toast.ts'

/** The order method of the cart that this device last used, if it is of this job and has packages; otherwise null. */
const filledMethod = async (jobId: number): Promise<OrderMethod | null> => {
  const entry = await database.device.get('cart')
  const cart = entry?.key === 'cart' ? entry.value : null
  return cart && cart.cartJobId === jobId && cart.cartPackageCount > 0 ? cart.orderMethod : null
}

// The method that the customer chose takes precedence over that of the filled cart.
const readStoredMethod = async (jobId: number): Promise<OrderMethod | null> =>
  (await readOrderMethod(database, jobId)) ?? (await filledMethod(jobId))

type MethodOfJob = { jobId: number; method: OrderMethod | null }

/**
 * The order method that was chosen in this tab, and a setter: null if there is no choice, undefined while the stored
 * method is being read. The stored method is read once per job, so that a tap in another tab does not switch the cart
 * in this tab.
 */
const useChosenMethod = (jobId: number) => {
  const [chosen, setChosen] = useState<MethodOfJob>()
  useEffect(() => {
    const readStored = async () => {
      const method = await withDatabaseRetry(database, () => readStoredMethod(jobId))
      const stored = { jobId, method: typeof method === 'string' ? method : null }
      // A choice made while the stored method was being read takes precedence.
      setChosen((current) => (current?.jobId === jobId ? current : stored))
    }
    void readStored()
  }, [jobId])
  const setChosenMethod = useCallback((method: OrderMethod) => setChosen({ jobId, method }), [jobId])
  return { chosenMethod: chosen?.jobId === jobId ? chosen.method : undefined, setChosenMethod }
}

type OrderMethodInput = { jobId: number; availability: JobAvailability | undefined; job: CustomerJob | undefined }

/**
 * `choice`: the order method of the displayed cart, undefined until it can be determined. `switchOrderMethod`: displays
 * another method's cart in this tab, and stores the choice on this device.
 */
export const useOrderMethod = ({ jobId, availability, job }: OrderMethodInput) => {
  const { chosenMethod, setChosenMethod } = useChosenMethod(jobId)
  const filledCartMethod = useLiveQuery(() => filledMethod(jobId), [jobId])
  const switchOrderMethod = useCallback(
    async (orderMethod: OrderMethod) => {
      setChosenMethod(orderMethod)
      const failure = await withDatabaseRetry(database, () => saveOrderMethod(database, { jobId, orderMethod }))
      if (failure) toastError([failure.message])
    },
    [jobId, setChosenMethod],
  )
  const isDecidable = availability && job && chosenMethod !== undefined
  const choice = isDecidable
    ? orderMethodToShow({ availability, hasPublishedImages: job.hasPublishedImages, chosen: chosenMethod })
    : undefined
  const method = choice?.method
  useEffect(() => {
    // Without an explicit choice, adding the first package chooses the method: one that opens later must not switch the
    // cart.
    if (chosenMethod === null && method && method !== 'unknown' && method === filledCartMethod) setChosenMethod(method)
  }, [chosenMethod, method, filledCartMethod, setChosenMethod])
  return { choice, switchOrderMethod }
}
