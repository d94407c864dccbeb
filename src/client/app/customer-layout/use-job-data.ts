import { useLiveQuery } from 'dexie-react-hooks'
import { useEffect, useState } from 'react'
import type { GuardFacts } from '#client/customer/shared/job/entry-guard.ts'
import {
  getAvailability,
  getJobPreferences,
  getStudio,
  type JobAvailability,
  type JobFacts,
  type JobPreferences,
  lookUpJob,
  type StudioFacts,
} from '#contract/customer/discovery-calls.ts'
import { rememberStudio } from '#local/session.ts'
import type { KeptCode } from '#local/store/database.ts'
import { shutDoorsOf } from '#local/store/job-access.ts'
import type { Failed } from '#local/transport/request.ts'
import { useAsk } from '#platform/api/use-query.ts'
import { local } from '#platform/database.ts'
import type { CustomerRoute } from '#platform/urls.ts'

/** Milliseconds after which the loading flag clears once an event's screens have begun (section 9). */
export const loadingFlagMs = 1000

export type EventFacts = {
  studio: StudioFacts | undefined
  availability: JobAvailability | undefined
  job: JobFacts | undefined
  preferences: JobPreferences | undefined
  /** Why the availability is not known, or not newer. */
  problem: Failed | undefined
  /** Why the studio is not known. */
  studioProblem: Failed | undefined
  /** Why studio, job or preferences are missing. */
  factsProblem: Failed | undefined
  code: GuardFacts['code']
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

type OnDevice = { codes: readonly KeptCode[]; isRefused: boolean }

const readCodes = async (jobId: number): Promise<OnDevice> => {
  if (Number.isNaN(jobId)) return { codes: [], isRefused: false }
  const [codes, shut] = await Promise.all([local.codes.where({ jobId }).toArray(), shutDoorsOf(local, jobId)])
  return { codes, isRefused: Boolean(shut?.refusal) }
}

const codeOf = ({ codes, isRefused }: OnDevice): GuardFacts['code'] => {
  if (codes.length === 0) return 'none'
  return isRefused ? 'refused' : 'kept'
}

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
  const onDevice = useLiveQuery(() => readCodes(jobId), [jobId])
  const code = onDevice && codeOf(onDevice)
  const ofJob = Number.isNaN(jobId) ? null : { params: { jobId } }
  const availability = useAsk(getAvailability, ofJob)
  const mayAsk = onDevice?.codes.length || availability.data?.codeGiven ? ofJob : null
  const studio = useAsk(getStudio, { params: { slug: studioSlug } })
  const job = useAsk(lookUpJob, mayAsk)
  const studioId = useKeptStudio(onDevice?.codes, job.data) ?? studio.data?.id
  const preferences = useAsk(getJobPreferences, mayAsk && studioId ? { params: { studioId, jobId } } : null)
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
    again: () => {
      for (const asked of all) asked.again()
    },
  }
}
