import { useLiveQuery } from 'dexie-react-hooks'
import { useEffect, useState } from 'react'
import type { EntryGuardInput } from '#client/customer/shared/job/entry-guard.ts'
import {
  type CustomerJob,
  type CustomerStudio,
  getAvailability,
  getJobPreferences,
  getStudio,
  type JobAvailability,
  type JobPreferences,
  lookUpJob,
} from '#contract/customer/discovery-calls.ts'
import type { StoredAccessCode } from '#local/store/database.ts'
import { lostAccessOf } from '#local/store/job-access.ts'
import type { CallFailure } from '#local/transport/request.ts'
import { useQuery } from '#platform/api/use-query.ts'
import { database } from '#platform/database.ts'
import type { CustomerRoute } from '#platform/urls.ts'

/** Milliseconds after which the loading flag clears once an event's screens have begun (section 9). */
export const loadingFlagMs = 1000

export type JobData = {
  studio: CustomerStudio | undefined
  availability: JobAvailability | undefined
  job: CustomerJob | undefined
  preferences: JobPreferences | undefined
  /** Why the availability is not known, or not newer. */
  problem: CallFailure | undefined
  /** Why the studio is not known. */
  studioProblem: CallFailure | undefined
  /** Why studio, job or preferences are missing. */
  factsProblem: CallFailure | undefined
  code: EntryGuardInput['code']
  /** While it is set, absence is not claimed: what is missing may still come. */
  loading: boolean
  refetch: () => void
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

type OnDevice = { codes: readonly StoredAccessCode[]; isRefused: boolean }

const readCodes = async (jobId: number): Promise<OnDevice> => {
  if (Number.isNaN(jobId)) return { codes: [], isRefused: false }
  const [codes, shut] = await Promise.all([database.codes.where({ jobId }).toArray(), lostAccessOf(database, jobId)])
  return { codes, isRefused: Boolean(shut?.refusal) }
}

const codeOf = ({ codes, isRefused }: OnDevice): EntryGuardInput['code'] => {
  if (codes.length === 0) return 'none'
  return isRefused ? 'refused' : 'kept'
}

/**
 * What the customer screens know of one event: asked once per studio and job, and gone with the layout that holds it (section 4).
 * The job's own facts are asked as soon as the code is known to be given, beside the availability, not after it; its preferences too
 * where the studio was kept with the code.
 */
export const useJobData = ({ studioSlug, jobId }: CustomerRoute): JobData => {
  const loading = useLoadingFlag()
  const onDevice = useLiveQuery(() => readCodes(jobId), [jobId])
  const code = onDevice && codeOf(onDevice)
  const ofJob = Number.isNaN(jobId) ? null : { params: { jobId } }
  const availability = useQuery(getAvailability, ofJob)
  const mayAsk = onDevice?.codes.length || availability.data?.codeGiven ? ofJob : null
  const studio = useQuery(getStudio, { params: { slug: studioSlug } })
  const job = useQuery(lookUpJob, mayAsk)
  const studioId = onDevice?.codes[0]?.studioId ?? studio.data?.id
  const preferences = useQuery(getJobPreferences, mayAsk && studioId ? { params: { studioId, jobId } } : null)
  const all = [availability, studio, job, preferences]
  return {
    studio: studio.data,
    availability: availability.data,
    job: job.data,
    preferences: preferences.data,
    problem: availability.problem,
    studioProblem: studio.data ? undefined : studio.problem,
    factsProblem: [studio, job, preferences].find((asked) => asked.problem && !asked.data)?.problem,
    code,
    loading,
    refetch: () => {
      for (const asked of all) asked.refetch()
    },
  }
}
