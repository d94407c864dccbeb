import { useEffect, useState } from 'react'
import { failureMessage } from '#local/transport/failure-cause.ts'
import { fetchLandingStudio } from '#platform/api/preload-studio.ts'
import { type LandingStudio, useLanding } from '#platform/landing.ts'

/** `why`: why a studio failed to load; null if the URL is wrong. */
export type LandingStudioResult = {
  studio: LandingStudio | null
  failed: boolean
  why: string | null
  refetch: () => void
}

type Answer = { slug: string; studio: LandingStudio | null; why?: string | null }

/**
 * The studio of a landing page: from the prerendered page if the server filled it in, otherwise fetched. If that fails,
 * loads the code that determines the reason.
 */
export const useLandingStudio = (slug: string): LandingStudioResult => {
  const { studio: landing, askedFor } = useLanding()
  const here = landing?.slug === slug || askedFor === slug ? landing : null
  const [answer, setAnswer] = useState<Answer | null>(null)
  const [round, setRound] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies(round): a new round retries
  useEffect(() => {
    if (here) return
    let wanted = true
    const asking = async () => {
      const studio = await fetchLandingStudio(slug)
      const found = studio ? { studio } : await (await import('./fetch-studio.ts')).fetchStudio(slug)
      if (wanted) setAnswer({ slug, ...found })
    }
    const why = failureMessage({ status: 'unreachable' }) ?? null
    asking().catch(() => wanted && setAnswer({ slug, studio: null, why }))
    return () => {
      wanted = false
    }
  }, [here, slug, round])

  const current = answer?.slug === slug ? answer : null
  const again = () => {
    setAnswer(null)
    setRound((before) => before + 1)
  }
  return {
    studio: here ?? current?.studio ?? null,
    failed: !here && current?.studio === null,
    why: current?.why ?? null,
    refetch: again,
  }
}
