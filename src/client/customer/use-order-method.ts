import { useLiveQuery } from 'dexie-react-hooks'
import { useCallback } from 'react'
import type { JobAvailability, JobFacts } from '../../contract/customer-find.ts'
import type { OrderMethod } from '../../domain/catalogue.ts'
import { chosenMethod, rememberMethod } from '../../local/order-method.ts'
import { local } from '../device/local.ts'
import { chooseMethod } from './order-method.ts'

// What the customer chose goes before the cart they filled: to fill another they have to choose it.
const kept = async (jobId: number): Promise<OrderMethod | null> => {
  const chosen = await chosenMethod(local, jobId)
  if (chosen) return chosen
  const fact = await local.device.get('cart')
  const cart = fact?.key === 'cart' ? fact.value : null
  return cart && cart.cartJobId === jobId && cart.cartPackageCount > 0 ? cart.orderMethod : null
}

type Facts = { jobId: number; availability: JobAvailability | undefined; job: JobFacts | undefined }

/** The order method in front of the customer, and how to take another; undefined until it can be told. */
export const useOrderMethod = ({ jobId, availability, job }: Facts) => {
  const wanted = useLiveQuery(() => kept(jobId), [jobId])
  const chooseOrderMethod = useCallback(
    (orderMethod: OrderMethod) => void rememberMethod(local, { jobId, orderMethod }).catch(console.warn),
    [jobId],
  )
  if (!availability || !job || wanted === undefined) return { choice: undefined, chooseOrderMethod }
  const choice = chooseMethod({ availability, hasPublishedImages: job.hasPublishedImages, wanted })
  return { choice, chooseOrderMethod }
}
