import { useEffect } from 'react'
import type { Route } from '#platform/define-route.tsx'
import { matchRoute } from './match-route.ts'

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

const preloadOtherScreen = async (address: string): Promise<void> =>
  (await import('./app-screens.tsx')).preloadAppScreen(address)

/** Loads the code of the screen at a URL. If that fails, it is loaded again when needed. */
export const preloadScreen = async (landingRoutes: readonly Route[], address: string): Promise<void> => {
  const landing = matchRoute(landingRoutes, address)
  await Promise.allSettled([landing ? landing.route.preload() : preloadOtherScreen(address)])
}
