import { type CustomerStudio, getStudio } from '#contract/customer/discovery-calls.ts'
import { isFinalFailure } from '#local/transport/failure-cause.ts'
import { callApi } from '#platform/api/api.ts'

export type StudioResult = { studio: CustomerStudio } | { studio: null; why: string | null }

/**
 * Fetches a studio by slug; none if it does not load or takes no orders here (`rspoEnabled`, section 5). `why`: the
 * error message if a retry may help, otherwise null.
 */
export const fetchStudio = async (slug: string): Promise<StudioResult> => {
  const response = await callApi(getStudio, { params: { slug } })
  if (!response.ok) return { studio: null, why: isFinalFailure(response) ? null : response.errors.join('. ') }
  return response.data.rspoEnabled ? { studio: response.data } : { studio: null, why: null }
}
