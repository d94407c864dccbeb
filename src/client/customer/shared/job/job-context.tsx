import { createContext, use } from 'react'
import type { CustomerJob, CustomerStudio, JobAvailability } from '#contract/customer/discovery-calls.ts'
import type { JobPreferences } from '#contract/shapes/job-structs.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'

/** The studio and job data shared by every customer screen of a job. */
export type JobContextValue = {
  studioSlug: string
  jobId: number
  studio: CustomerStudio
  job: CustomerJob
  availability: JobAvailability
  preferences: JobPreferences
  /** The order method of the displayed cart. */
  orderMethod: OrderMethod
  /** For jobs with both order methods open. */
  chooseOrderMethod: (method: OrderMethod) => void
  /** Why this cart's order method has closed: the cart stays readable (cart and checkout show it in place). */
  closed: string | null
}

export const JobContext = createContext<JobContextValue | null>(null)

/** The job of the screen; only under the customer layout of a guarded route. */
export const useJobContext = (): JobContextValue => {
  const event = use(JobContext)
  if (!event) throw new Error('No event here')
  return event
}

/** The job, if known: screens the entry guard lets pass may render before it is loaded, or without it. */
export const useOptionalJobContext = (): JobContextValue | null => use(JobContext)
