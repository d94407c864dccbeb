import { listJobFields } from '../../contract/job-offers.ts'
import type { CustomField } from '../../domain/custom-fields.ts'
import { type Asked, useAsk } from '../device/use-ask.ts'
import { useEvent } from './event.tsx'

/** What the studio asks of each person before the picture day; in a gallery it asks nothing. */
export const useJobFields = (): Asked<CustomField[]> => {
  const { jobId, orderMethod } = useEvent()
  return useAsk(listJobFields, orderMethod === 'prepay' ? { params: { jobId } } : null)
}
