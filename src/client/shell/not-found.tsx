import { lazy } from 'react'

/** An address that leads nowhere; its words come only when somebody is there. */
export const NotFound = lazy(async () => ({ default: (await import('./not-found-screen.tsx')).NotFoundScreen }))
