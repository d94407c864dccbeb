import { useEffect, useState } from 'react'
import { failureMessage } from '#local/transport/failure-cause.ts'
import { fetchLandingStudio } from '#platform/api/preload-studio.ts'
import { type LandingStudio, useLanding } from '#platform/landing.ts'

/** `why`: what is in the way of a studio that failed to load; null where the address is wrong. */
export type LandingStudioResult = {
  studio: LandingStudio | null
  failed: boolean
  why: string | null
  refetch: () => void
}

type Answer = { slug: string; studio: LandingStudio | null; why?: string | null }

/** The studio of a landing page: from the page itself when the server filled it in, else asked for; where that fails, with code that knows why. */
export const useLandingStudio = (slug: string): LandingStudioResult => {
  const { studio: landing, askedFor } = useLanding()
  const here = landing?.slug === slug || askedFor === slug ? landing : null
  const [answer, setAnswer] = useState<Answer | null>(null)
  const [round, setRound] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies(round): a new round is exactly the wish to ask again
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
