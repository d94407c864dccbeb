import { useLiveQuery } from 'dexie-react-hooks'
import { useCallback, useEffect, useState } from 'react'
import { selectOrderMethod } from '#client/customer/shared/job/select-order-method.ts'
import type { CustomerJob, JobAvailability } from '#contract/customer/discovery-calls.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { withDatabaseRetry } from '#local/recovery/with-database-retry.ts'
import { readOrderMethod, saveOrderMethod } from '#local/store/chosen-order-method.ts'
import { database } from '#platform/database.ts'
import { toastError } from '#ui/toast/toast.ts'

/** The order method of the job's most recently filled cart on this device; null if both are empty. */
const filledMethod = async (jobId: number): Promise<OrderMethod | null> => {
  const fact = await database.device.get('cart')
  const cart = fact?.key === 'cart' ? fact.value : null
  return cart && cart.cartJobId === jobId && cart.cartPackageCount > 0 ? cart.orderMethod : null
}

// The customer's choice takes precedence over the filled cart.
const readStoredMethod = async (jobId: number): Promise<OrderMethod | null> =>
  (await readOrderMethod(database, jobId)) ?? (await filledMethod(jobId))

type StoredChoice = { jobId: number; method: OrderMethod | null }

/**
 * The order method of this tab, and a setter. Starts with the stored method, read once, and is independent afterwards,
 * so that a tap in another tab does not switch the cart here.
 */
const useWanted = (jobId: number) => {
  const [choice, setChoice] = useState<StoredChoice>()
  useEffect(() => {
    const readChoice = async () => {
      const method = await withDatabaseRetry(database, () => readStoredMethod(jobId))
      const found = { jobId, method: typeof method === 'string' ? method : null }
      setChoice((own) => (own?.jobId === jobId ? own : found))
    }
    void readChoice()
  }, [jobId])
  const want = useCallback((method: OrderMethod) => setChoice({ jobId, method }), [jobId])
  return { wanted: choice?.jobId === jobId ? choice.method : undefined, want }
}

type OrderMethodInput = { jobId: number; availability: JobAvailability | undefined; job: CustomerJob | undefined }

/** The current order method, and a setter; undefined until it can be determined. */
export const useOrderMethod = ({ jobId, availability, job }: OrderMethodInput) => {
  const { wanted: chosen, want } = useWanted(jobId)
  const filled = useLiveQuery(() => filledMethod(jobId), [jobId])
  const chooseOrderMethod = useCallback(
    async (orderMethod: OrderMethod) => {
      want(orderMethod)
      const failed = await withDatabaseRetry(database, () => saveOrderMethod(database, { jobId, orderMethod }))
      if (failed) toastError([failed.message])
    },
    [jobId, want],
  )
  const isKnown = availability && job && chosen !== undefined
  const choice = isKnown
    ? selectOrderMethod({ availability, hasPublishedImages: job.hasPublishedImages, chosen })
    : undefined
  const method = choice?.method
  useEffect(() => {
    // Without an explicit choice, the first package added counts as one: a method that opens later must not switch the
    // cart.
    if (chosen === null && method && method !== 'unknown' && method === filled) want(method)
  }, [chosen, method, filled, want])
  return { choice, chooseOrderMethod }
}
