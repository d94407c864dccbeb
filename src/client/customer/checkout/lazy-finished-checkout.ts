import { lazy } from 'react'

// Rarely needed: a separate chunk keeps it out of most downloads.
const ended = () => import('./finished-checkout.tsx')
export const AlreadyOrdered = lazy(async () => ({ default: (await ended()).AlreadyOrdered }))
export const EmptyCart = lazy(async () => ({ default: (await ended()).EmptyCart }))
