import { type LandingStudio, readLandingStudio } from '../landing.ts'

/** Timeout in milliseconds before the full API client is used, which reports the reason. */
const timeoutMs = 5_000

/** The studio's API URL, duplicated from the contract, which landing pages do not include. */
export const studioUrl = (slug: string): string => `/api/customer/studios/${encodeURIComponent(slug)}`

const requestStudio = async (slug: string): Promise<LandingStudio | null> => {
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(studioUrl(slug), { headers: { accept: 'application/json' }, signal })
    return response.ok ? readLandingStudio(await response.json()) : null
  } catch {
    return null
  }
}

const requests = new Map<string, Promise<LandingStudio | null>>()

/** Requests a studio while its page's code is still loading. */
export const preloadStudio = (slug: string): void => void requests.set(slug, requestStudio(slug))

/**
 * Fetches a studio with only the entry bundle; null on any failure, or if it takes no orders here (`rspoEnabled`,
 * section 5).
 */
export const fetchLandingStudio = async (slug: string): Promise<LandingStudio | null> => {
  const request = requests.get(slug) ?? requestStudio(slug)
  // A preloaded response is used once, so that a retry sends a new request.
  requests.delete(slug)
  return await request
}
