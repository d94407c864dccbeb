import { getStudio, type StudioFacts } from '#contract/customer/discovery-calls.ts'
import { isDefinite } from '#local/transport/failure-cause.ts'
import { ask } from '#platform/api/api.ts'

export type StudioAnswer = { studio: StudioFacts } | { studio: null; why: string | null }

/** The studio of a slug; none when it does not load, or takes no orders here (`rspoEnabled`, section 5). `why`: what is in the way, where something is. */
export const askStudio = async (slug: string): Promise<StudioAnswer> => {
  const answer = await ask(getStudio, { params: { slug } })
  if (!answer.ok) return { studio: null, why: isDefinite(answer) ? null : answer.errors.join('. ') }
  return answer.data.rspoEnabled ? { studio: answer.data } : { studio: null, why: null }
}
