import { useEffect, useState } from 'react'
import { unreachableMessage } from '#local/transport/failure-cause.ts'
import { fetchLandingStudio } from '#platform/api/preload-studio.ts'
import { type LandingStudio, useLanding } from '#platform/landing.ts'

/** `why`: why a studio failed to load; null if the URL is wrong. */
export type LandingStudioResult = {
  studio: LandingStudio | null
  failed: boolean
  why: string | null
  refetch: () => void
}

type StudioResponse = { slug: string; studio: LandingStudio | null; why?: string | null }

/**
 * The studio of a landing page: from the prerendered page if the server filled it in, otherwise fetched. If that fails,
 * loads the code that determines the reason.
 */
export const useLandingStudio = (slug: string): LandingStudioResult => {
  const { studio: landing, requestedSlug } = useLanding()
  const prerenderedStudio = landing?.slug === slug || requestedSlug === slug ? landing : null
  const [response, setResponse] = useState<StudioResponse | null>(null)
  const [attempt, setAttempt] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies(attempt): a new attempt retries
  useEffect(() => {
    if (prerenderedStudio) return
    let isCurrent = true
    const load = async () => {
      const studio = await fetchLandingStudio(slug)
      const result = studio ? { studio } : await (await import('./fetch-studio.ts')).fetchStudio(slug)
      if (isCurrent) setResponse({ slug, ...result })
    }
    load().catch(() => isCurrent && setResponse({ slug, studio: null, why: unreachableMessage() }))
    return () => {
      isCurrent = false
    }
  }, [prerenderedStudio, slug, attempt])

  const current = response?.slug === slug ? response : null
  const retry = () => {
    setResponse(null)
    setAttempt((before) => before + 1)
  }
  return {
    studio: prerenderedStudio ?? current?.studio ?? null,
    failed: !prerenderedStudio && current?.studio === null,
    why: current?.why ?? null,
    refetch: retry,
  }
}
