import { type LandingStudio, readLandingStudio } from '../landing.ts'

/** Timeout in milliseconds before the full API client is used, which reports the reason. */
const patienceMs = 5_000

/** The studio's API URL, duplicated from the contract, which landing pages do not include. */
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

/** Requests a studio while its page's code is still loading. */
export const preloadStudio = (slug: string): void => void asked.set(slug, lookUp(slug))

/**
 * Fetches a studio with only the entry bundle; null on any failure, or if it takes no orders here (`rspoEnabled`,
 * section 5).
 */
export const fetchLandingStudio = async (slug: string): Promise<LandingStudio | null> => {
  const asking = asked.get(slug) ?? lookUp(slug)
  // A preloaded response is used once, so that a retry sends a new request.
  asked.delete(slug)
  return await asking
}
