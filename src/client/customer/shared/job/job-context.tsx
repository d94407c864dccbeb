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
  /** Displays the cart of another order method in this tab, and stores the choice on this device. */
  switchOrderMethod: (method: OrderMethod) => void
  /** Why the order method of this cart has closed; null while it is open. The cart stays readable. */
  closedReason: string | null
}

export const JobContext = createContext<JobContextValue | null>(null)

/** The job of the screen. Throws outside the customer layout of a guarded route. */
export const useJobContext = (): JobContextValue => {
  const job = use(JobContext)
  if (!job) throw new Error('Outside of a job’s route')
  return job
}

/** The job, or null: some screens render before the job is loaded, or without a job. */
export const useOptionalJobContext = (): JobContextValue | null => use(JobContext)
