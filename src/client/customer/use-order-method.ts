import { useLiveQuery } from 'dexie-react-hooks'
import { useState } from 'react'
import type { JobAvailability, JobFacts } from '../../contract/customer-find.ts'
import type { OrderMethod } from '../../domain/catalogue.ts'
import { local } from '../device/local.ts'
import { chooseMethod } from './order-method.ts'

const kept = async (jobId: number): Promise<OrderMethod | null> => {
  const fact = await local.device.get('cart')
  const cart = fact?.key === 'cart' ? fact.value : null
  return cart && cart.cartJobId === jobId && cart.cartPackageCount > 0 ? cart.orderMethod : null
}

type Facts = { jobId: number; availability: JobAvailability | undefined; job: JobFacts | undefined }

/** The order method in front of the customer, and how to take another; undefined until it can be told. */
export const useOrderMethod = ({ jobId, availability, job }: Facts) => {
  const [chosen, chooseOrderMethod] = useState<OrderMethod | null>(null)
  const keptHere = useLiveQuery(() => kept(jobId), [jobId])
  if (!availability || !job || keptHere === undefined) return { choice: undefined, chooseOrderMethod }
  const wanted = chosen ?? keptHere
  const choice = chooseMethod({ availability, hasPublishedImages: job.hasPublishedImages, wanted })
  return { choice, chooseOrderMethod }
}
