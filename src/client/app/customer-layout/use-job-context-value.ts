import { useEffect, useMemo } from 'react'
import { methodClosedReason, unavailableTitle } from '#client/customer/shared/job/entry-guard.ts'
import type { JobContextValue } from '#client/customer/shared/job/job-context.tsx'
import type { CustomerRoute } from '#platform/urls.ts'
import type { JobData } from './use-job-data.ts'
import { useOrderMethod } from './use-order-method.ts'

/** The job context for the screens; null until all of it is loaded. */
export const useJobContextValue = ({ studioSlug, jobId }: CustomerRoute, jobData: JobData): JobContextValue | null => {
  const { studio, job, availability, preferences } = jobData
  const { choice, switchOrderMethod } = useOrderMethod({ jobId, availability, job })
  const orderMethod = choice?.method
  const warning = choice?.warning
  useEffect(() => {
    // The specification requires that the app logs a warning and continues (section 8).
    if (warning) console.warn(`Job ${jobId}: ${warning}`)
  }, [warning, jobId])
  return useMemo(() => {
    if (!studio || !job || !availability || !preferences || orderMethod === undefined) return null
    const method = orderMethod !== 'unknown' ? orderMethod : job.hasPublishedImages ? 'gallery' : 'prepay'
    const reason = methodClosedReason(availability, method, new Date().toISOString())
    const closedReason = reason && unavailableTitle(reason)
    return {
      studioSlug,
      jobId,
      studio,
      job,
      availability,
      preferences,
      orderMethod: method,
      switchOrderMethod,
      closedReason,
    }
  }, [studioSlug, jobId, studio, job, availability, preferences, orderMethod, switchOrderMethod])
}
