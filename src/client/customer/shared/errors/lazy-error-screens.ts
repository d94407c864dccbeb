import { lazy } from 'react'

// Rarely needed: a separate chunk keeps it out of most downloads.
const screens = () => import('./error-screens.tsx')
export const CustomerNotFound = lazy(async () => ({ default: (await screens()).CustomerNotFound }))
export const LayoutError = lazy(async () => ({ default: (await screens()).LayoutError }))
export const OrderNotLoaded = lazy(async () => ({ default: (await screens()).OrderNotLoaded }))
export const UnknownSubject = lazy(async () => ({ default: (await screens()).UnknownSubject }))
