import { listJobFields } from '#contract/customer/job-offers.ts'
import type { CustomField } from '#domain/subjects/custom-fields.ts'
import { type Asked, useAsk } from '#platform/api/use-query.ts'
import { useEvent } from './job-context.tsx'

/** What the studio asks of each person before the picture day; in a gallery it asks nothing. */
export const useJobFields = (): Asked<CustomField[]> => {
  const { jobId, orderMethod } = useEvent()
  return useAsk(listJobFields, orderMethod === 'prepay' ? { params: { jobId } } : null)
}
