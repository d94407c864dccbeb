import { lazy } from 'react'

// Where an address leads nowhere, or a network did: seldom, and not for everybody to carry along.
const screens = () => import('./error-screens.tsx')
export const CustomerNotFound = lazy(async () => ({ default: (await screens()).CustomerNotFound }))
export const LayoutError = lazy(async () => ({ default: (await screens()).LayoutError }))
export const OrderNotLoaded = lazy(async () => ({ default: (await screens()).OrderNotLoaded }))
export const UnknownSubject = lazy(async () => ({ default: (await screens()).UnknownSubject }))
