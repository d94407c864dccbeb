import { listJobFields } from '#contract/customer/job-offers.ts'
import type { CustomField } from '#domain/subjects/custom-fields.ts'
import { type QueryResult, useQuery } from '#platform/api/use-query.ts'
import { useJobContext } from './job-context.tsx'

/** The custom fields that a prepay job asks of every subject; nothing is requested for a gallery. */
export const useJobFields = (): QueryResult<CustomField[]> => {
  const { jobId, orderMethod } = useJobContext()
  return useQuery(listJobFields, orderMethod === 'prepay' ? { params: { jobId } } : null)
}
