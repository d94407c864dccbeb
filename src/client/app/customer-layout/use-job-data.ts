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
  lookUpJob,
} from '#contract/customer/discovery-calls.ts'
import type { JobPreferences } from '#contract/shapes/job-structs.ts'
import type { StoredAccessCode } from '#local/store/database.ts'
import { lostAccessOf } from '#local/store/job-access.ts'
import type { CallFailure } from '#local/transport/request.ts'
import { useQuery } from '#platform/api/use-query.ts'
import { database } from '#platform/database.ts'
import type { CustomerRoute } from '#platform/urls.ts'

/** Milliseconds after which the loading flag clears, counted from the first screen of a job (section 9). */
export const loadingFlagMs = 1000

export type JobData = {
  studio: CustomerStudio | undefined
  availability: JobAvailability | undefined
  job: CustomerJob | undefined
  preferences: JobPreferences | undefined
  /** Why the availability is unknown, or was not refreshed. */
  problem: CallFailure | undefined
  /** Why the studio is unknown. */
  studioProblem: CallFailure | undefined
  /** Why studio, job or preferences are missing. */
  factsProblem: CallFailure | undefined
  code: EntryGuardInput['code']
  /** While true, nothing is reported as missing: it may still load. */
  loading: boolean
  refetch: () => void
}

/** True until 1 second after the job's first screen (section 4). */
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
 * The data that all customer screens of a job share: requested once per studio and job, and discarded with the layout
 * (section 4). The job is requested as soon as the access code is known to be stored, in parallel with the
 * availability; so are its preferences if the studio was stored with the code.
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
    factsProblem: [studio, job, preferences].find((query) => query.problem && !query.data)?.problem,
    code,
    loading,
    refetch: () => {
      for (const query of all) query.refetch()
    },
  }
}
