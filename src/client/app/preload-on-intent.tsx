import { useEffect } from 'react'
import type { Route } from '#platform/define-route.tsx'
import { preloadScreen } from './preload-screen.ts'

const linkOf = ({ target }: Event): HTMLAnchorElement | null =>
  target instanceof Element ? target.closest<HTMLAnchorElement>('a[href^="/"]') : null

/** Loads a screen's code when a pointer or finger is about to follow a link to it. */
export const PreloadOnIntent = ({ routes }: { routes: readonly Route[] }) => {
  useEffect(() => {
    const onIntent = (event: Event) => {
      const link = linkOf(event)
      if (link) void preloadScreen(routes, link.pathname + link.search)
    }
    const intents = ['pointerover', 'touchstart', 'focusin'] as const
    for (const intent of intents) document.addEventListener(intent, onIntent, { passive: true })
    return () => {
      for (const intent of intents) document.removeEventListener(intent, onIntent)
    }
  }, [routes])
  return null
}
