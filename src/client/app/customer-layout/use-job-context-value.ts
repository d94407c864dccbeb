import { useEffect, useMemo } from 'react'
import { methodClosedReason } from '#client/customer/shared/job/entry-guard.ts'
import type { JobContextValue } from '#client/customer/shared/job/job-context.tsx'
import { unavailableTitle } from '#client/customer/shared/job/unavailable-title.ts'
import type { CustomerRoute } from '#platform/urls.ts'
import type { JobData } from './use-job-data.ts'
import { useOrderMethod } from './use-order-method.ts'

/** What `useEvent` gives to the screens; null until all of it is known. */
export const useJobContextValue = ({ studioSlug, jobId }: CustomerRoute, facts: JobData): JobContextValue | null => {
  const { studio, job, availability, preferences } = facts
  const { choice, chooseOrderMethod } = useOrderMethod({ jobId, availability, job })
  const orderMethod = choice?.method
  const warning = choice?.warning
  useEffect(() => {
    // The specification asks for a warning and to go on (section 8).
    if (warning) console.warn(`Job ${jobId}: ${warning}`)
  }, [warning, jobId])
  return useMemo(() => {
    if (!studio || !job || !availability || !preferences || orderMethod === undefined) return null
    const method = orderMethod !== 'unknown' ? orderMethod : job.hasPublishedImages ? 'gallery' : 'prepay'
    const reason = methodClosedReason(availability, method, new Date().toISOString())
    const closed = reason && unavailableTitle(reason)
    return { studioSlug, jobId, studio, job, availability, preferences, orderMethod: method, chooseOrderMethod, closed }
  }, [studioSlug, jobId, studio, job, availability, preferences, orderMethod, chooseOrderMethod])
}
