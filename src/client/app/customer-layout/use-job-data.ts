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
import { lostAccessOf } from '#local/store/job-access.ts'
import type { StoredAccessCode } from '#local/store/rows.ts'
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
  jobDataProblem: CallFailure | undefined
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

type StoredCodes = { codes: readonly StoredAccessCode[]; isRejected: boolean }

const readCodes = async (jobId: number): Promise<StoredCodes> => {
  if (Number.isNaN(jobId)) return { codes: [], isRejected: false }
  const [codes, lostAccess] = await Promise.all([
    database.codes.where({ jobId }).toArray(),
    lostAccessOf(database, jobId),
  ])
  return { codes, isRejected: Boolean(lostAccess?.rejection) }
}

const codeOf = ({ codes, isRejected }: StoredCodes): EntryGuardInput['code'] => {
  if (codes.length === 0) return 'none'
  return isRejected ? 'rejected' : 'stored'
}

/**
 * The data that all customer screens of a job share: requested once per studio and job, and discarded with the layout
 * (section 4). The job is requested as soon as the access code is known to be stored, in parallel with the
 * availability; so are its preferences if the studio was stored with the code.
 */
export const useJobData = ({ studioSlug, jobId }: CustomerRoute): JobData => {
  const loading = useLoadingFlag()
  const storedCodes = useLiveQuery(() => readCodes(jobId), [jobId])
  const code = storedCodes && codeOf(storedCodes)
  const jobParams = Number.isNaN(jobId) ? null : { params: { jobId } }
  const availability = useQuery(getAvailability, jobParams)
  const accessParams = storedCodes?.codes.length || availability.data?.codeGiven ? jobParams : null
  const studio = useQuery(getStudio, { params: { slug: studioSlug } })
  const job = useQuery(lookUpJob, accessParams)
  const studioId = storedCodes?.codes[0]?.studioId ?? studio.data?.id
  const preferences = useQuery(getJobPreferences, accessParams && studioId ? { params: { studioId, jobId } } : null)
  const queries = [availability, studio, job, preferences]
  return {
    studio: studio.data,
    availability: availability.data,
    job: job.data,
    preferences: preferences.data,
    problem: availability.problem,
    studioProblem: studio.data ? undefined : studio.problem,
    jobDataProblem: [studio, job, preferences].find((query) => query.problem && !query.data)?.problem,
    code,
    loading,
    refetch: () => {
      for (const query of queries) query.refetch()
    },
  }
}
