import { listJobFields } from '#contract/customer/job-offers.ts'
import type { CustomField } from '#domain/subjects/custom-fields.ts'
import { type QueryResult, useQuery } from '#platform/api/use-query.ts'
import { useJobContext } from './job-context.tsx'

/** What the studio asks of each person before the picture day; in a gallery it asks nothing. */
export const useJobFields = (): QueryResult<CustomField[]> => {
  const { jobId, orderMethod } = useJobContext()
  return useQuery(listJobFields, orderMethod === 'prepay' ? { params: { jobId } } : null)
}
