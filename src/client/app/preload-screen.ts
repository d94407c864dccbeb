import type { Route } from '#platform/define-route.tsx'
import { matchRoute } from './match-route.ts'

const preloadOtherScreen = async (address: string): Promise<void> =>
  (await import('./app-screens.tsx')).preloadAppScreen(address)

/** Loads the code of the screen at a URL. If that fails, it is loaded again when needed. */
export const preloadScreen = async (landingRoutes: readonly Route[], address: string): Promise<void> => {
  const landing = matchRoute(landingRoutes, address)
  await Promise.allSettled([landing ? landing.route.preload() : preloadOtherScreen(address)])
}
