import { type LandingStudio, readLandingStudio } from '../landing.ts'

/** Milliseconds after which the other way is tried, which says what is wrong. */
const patienceMs = 5_000

/** Where a studio is asked for: as the contract has it, which a landing page does not carry. */
export const studioUrl = (slug: string): string => `/api/customer/studios/${encodeURIComponent(slug)}`

const lookUp = async (slug: string): Promise<LandingStudio | null> => {
  try {
    const signal = AbortSignal.timeout(patienceMs)
    const answer = await fetch(studioUrl(slug), { headers: { accept: 'application/json' }, signal })
    return answer.ok ? readLandingStudio(await answer.json()) : null
  } catch {
    return null
  }
}

const asked = new Map<string, Promise<LandingStudio | null>>()

/** Asks for a studio while its page's code is still on the way. */
export const preloadStudio = (slug: string): void => void asked.set(slug, lookUp(slug))

/** A studio, with nothing but what is here already; null where anything at all stands in the way, or it takes no orders here. */
export const fetchLandingStudio = async (slug: string): Promise<LandingStudio | null> => {
  const asking = asked.get(slug) ?? lookUp(slug)
  // What was asked ahead is for the first who wants it: who tries again wants to know anew.
  asked.delete(slug)
  return await asking
}
