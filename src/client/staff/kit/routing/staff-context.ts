import { createContext, useContext } from 'react'
import type { JobPlace } from './staff-urls.ts'

/** What every screen of a studio may know of it. */
export type StudioFacts = {
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
export type JobFacts = {
  id: number
  /** The way somebody came to it. */
  place: JobPlace
  name: string
  organizationId: number | null
  organizationName: string | null
  isPublished: boolean
  isArchived: boolean
}

export const StudioContext = createContext<StudioFacts | null>(null)
export const JobContext = createContext<JobFacts | null>(null)

/** The studio around this screen; only for screens of the areas `studio` and `job`. */
export const useStudio = (): StudioFacts => {
  const facts = useContext(StudioContext)
  if (!facts) throw new Error('This screen stands in no studio')
  return facts
}

/** The job around this screen; only for screens of the area `job`. */
export const useJob = (): JobFacts => {
  const facts = useContext(JobContext)
  if (!facts) throw new Error('This screen stands in no job')
  return facts
}
