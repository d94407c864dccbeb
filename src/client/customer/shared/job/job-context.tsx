import { createContext, use } from 'react'
import type {
  CustomerJob,
  CustomerStudio,
  JobAvailability,
  JobPreferences,
} from '#contract/customer/discovery-calls.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'

/** What every customer screen under a job knows of its studio and event. */
export type JobContextValue = {
  studioSlug: string
  jobId: number
  studio: CustomerStudio
  job: CustomerJob
  availability: JobAvailability
  preferences: JobPreferences
  /** The method of the cart in front of the customer. */
  orderMethod: OrderMethod
  /** For jobs where both methods are open. */
  chooseOrderMethod: (method: OrderMethod) => void
  /** The reason, where the method of this cart has closed: it stays readable (shown in place by cart and checkout). */
  closed: string | null
}

export const JobContext = createContext<JobContextValue | null>(null)

/** The event of the screen; only under the customer layout of a guarded route. */
export const useJobContext = (): JobContextValue => {
  const event = use(JobContext)
  if (!event) throw new Error('No event here')
  return event
}

/** The event where it is known: the screens the entry guard lets pass may be shown before it is, or without it. */
export const useOptionalJobContext = (): JobContextValue | null => use(JobContext)
