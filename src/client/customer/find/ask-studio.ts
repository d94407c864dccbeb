import { getStudio, type StudioFacts } from '../../../contract/customer-find.ts'
import { ask } from '../../device/ask.ts'

/** The studio of a slug; null when it does not load, or takes no orders here (`rspoEnabled`, section 5). */
export const askStudio = async (slug: string): Promise<StudioFacts | null> => {
  const answer = await ask(getStudio, { params: { slug } })
  return answer.ok && answer.data.rspoEnabled ? answer.data : null
}
