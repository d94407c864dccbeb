import { useEffect } from 'react'
import { useRouter } from 'wouter'
import { matchAddress } from './match.ts'
import type { Route } from './route.tsx'

const linkOf = ({ target }: Event): HTMLAnchorElement | null =>
  target instanceof Element ? target.closest<HTMLAnchorElement>('a[href^="/"]') : null

/** Fetches a screen's code when a finger or pointer is about to follow a link to it. Code that fails to come is tried again then. */
export const PreloadOnIntent = ({ routes }: { routes: readonly Route[] }) => {
  const { parser } = useRouter()
  useEffect(() => {
    const hear = (event: Event) => {
      const link = linkOf(event)
      const matched = link && matchAddress(routes, parser, link.pathname + link.search)
      void matched?.route.preload().catch(() => undefined)
    }
    const intents = ['pointerover', 'touchstart', 'focusin'] as const
    for (const intent of intents) document.addEventListener(intent, hear, { passive: true })
    return () => {
      for (const intent of intents) document.removeEventListener(intent, hear)
    }
  }, [routes, parser])
  return null
}
