import { createContext, useContext } from 'react'
import type { JobParams } from './staff-urls.ts'

/** What every screen of a studio may know of it. */
export type StudioSummary = {
  id: number
  name: string
  slug: string
  /** IANA: where its days begin and end. */
  timeZone: string
  isMillersVerified: boolean
  /** The identifiers of what it was given. */
  features: ReadonlySet<string>
}

/** What every screen of a job may know of it. */
export type JobSummary = {
  id: number
  /** The way somebody came to it. */
  params: JobParams
  name: string
  organizationId: number | null
  organizationName: string | null
  isPublished: boolean
  isArchived: boolean
}

export const StudioContext = createContext<StudioSummary | null>(null)
export const JobContext = createContext<JobSummary | null>(null)

/** The studio around this screen; only for screens of the areas `studio` and `job`. */
export const useStudio = (): StudioSummary => {
  const facts = useContext(StudioContext)
  if (!facts) throw new Error('This screen stands in no studio')
  return facts
}

/** The job around this screen; only for screens of the area `job`. */
export const useJob = (): JobSummary => {
  const facts = useContext(JobContext)
  if (!facts) throw new Error('This screen stands in no job')
  return facts
}
