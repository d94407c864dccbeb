import { useLiveQuery } from 'dexie-react-hooks'
import { useEffect, useState } from 'react'
import {
  getAvailability,
  getJobPreferences,
  getStudio,
  type JobAvailability,
  type JobFacts,
  type JobPreferences,
  lookUpJob,
  type StudioFacts,
} from '../../contract/customer-find.ts'
import type { Failed } from '../../local/ask.ts'
import type { KeptCode } from '../../local/database.ts'
import { rememberStudio } from '../../local/visits.ts'
import { local } from '../device/local.ts'
import { useAsk } from '../device/use-ask.ts'
import type { CustomerRoute } from '../shell/urls.ts'

/** Milliseconds after which the loading flag clears once an event's screens have begun (section 9). */
export const loadingFlagMs = 1000

export type EventFacts = {
  studio: StudioFacts | undefined
  availability: JobAvailability | undefined
  job: JobFacts | undefined
  preferences: JobPreferences | undefined
  /** Why the availability is not known, or not newer. */
  problem: Failed | undefined
  /** Why studio, job or preferences are missing. */
  factsProblem: Failed | undefined
  codeKept: boolean | undefined
  /** While it is set, absence is not claimed: what is missing may still come. */
  loading: boolean
  again: () => void
}

/** True until 1 second after the event's screens have begun (section 4). */
const useLoadingFlag = (): boolean => {
  const [loading, setLoading] = useState(true)
  useEffect(() => {
    const timer = setTimeout(() => setLoading(false), loadingFlagMs)
    return () => clearTimeout(timer)
  }, [])
  return loading
}

const useKeptCodes = (jobId: number): readonly KeptCode[] | undefined =>
  useLiveQuery(async () => (Number.isNaN(jobId) ? [] : await local.codes.where({ jobId }).toArray()), [jobId])

/** The studio kept with the codes; where it was not kept yet, it is once the event's own facts tell it. */
const useKeptStudio = (codes: readonly KeptCode[] | undefined, job: JobFacts | undefined): number | undefined => {
  const kept = codes?.find(({ studioId }) => studioId !== undefined)?.studioId
  const lacking = job !== undefined && codes?.some(({ studioId }) => studioId === undefined)
  useEffect(() => {
    if (lacking) void rememberStudio(local, { jobId: job.id, studioId: job.studioId }).catch(console.warn)
  }, [lacking, job])
  return kept
}

/**
 * What the customer screens know of one event: asked once per studio and job, and gone with the layout that holds it (section 4).
 * The job's own facts are asked as soon as the code is known to be given, beside the availability, not after it; its preferences too
 * where the studio was kept with the code.
 */
export const useEventFacts = ({ studioSlug, jobId }: CustomerRoute): EventFacts => {
  const loading = useLoadingFlag()
  const codes = useKeptCodes(jobId)
  const codeKept = codes && codes.length > 0
  const ofJob = Number.isNaN(jobId) ? null : { params: { jobId } }
  const availability = useAsk(getAvailability, ofJob)
  const mayAsk = codeKept || availability.data?.codeGiven ? ofJob : null
  const studio = useAsk(getStudio, { params: { slug: studioSlug } })
  const job = useAsk(lookUpJob, mayAsk)
  const studioId = useKeptStudio(codes, job.data) ?? studio.data?.id
  const preferences = useAsk(getJobPreferences, mayAsk && studioId ? { params: { studioId, jobId } } : null)
  const all = [availability, studio, job, preferences]
  return {
    studio: studio.data,
    availability: availability.data,
    job: job.data,
    preferences: preferences.data,
    problem: availability.problem,
    factsProblem: [studio, job, preferences].find((asked) => asked.problem && !asked.data)?.problem,
    codeKept,
    loading,
    again: () => {
      for (const asked of all) asked.again()
    },
  }
}
