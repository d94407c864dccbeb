import { lazy } from 'react'

/** The screen for an unknown URL, which is rarely needed. */
export const NotFoundScreen = lazy(async () => ({
  default: (await import('./not-found-screen.tsx')).NotFoundScreen,
}))
