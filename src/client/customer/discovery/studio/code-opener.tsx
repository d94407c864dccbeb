import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import type { LandingStudio } from '#platform/landing.ts'
import { useAccent } from '#ui/theme/use-accent.ts'
import { type CodeFailure, loadAndRedeem } from './access-code-entry.ts'
import { OpeningView } from './opening-view.tsx'

export type CodeOpenerProps = {
  studioSlug: string
  code: string
  studio: LandingStudio | null
  onFailure: (failure: CodeFailure) => void
}

/** Opens the access code in the URL at once, before the studio is loaded, so that a stored one needs no network. */
export const CodeOpener = ({ studioSlug, code, studio, onFailure }: CodeOpenerProps) => {
  const [, navigate] = useLocation()
  const openedCode = useRef<string>(null)
  useAccent(studio?.accent)
  useEffect(() => {
    if (openedCode.current === code) return
    openedCode.current = code
    void loadAndRedeem(studioSlug, code).then((result) => {
      if (result.ok) navigate(result.url, { replace: true })
      else onFailure({ code, message: result.message })
    })
  }, [studioSlug, code, navigate, onFailure])
  return <OpeningView studioName={studio?.name ?? null} opening="your photos" />
}
