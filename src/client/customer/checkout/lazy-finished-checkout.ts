import { lazy } from 'react'

// A checkout with nothing left to do: seldom, and not for everybody to carry along.
const ended = () => import('./finished-checkout.tsx')
export const AlreadyOrdered = lazy(async () => ({ default: (await ended()).AlreadyOrdered }))
export const EmptyCart = lazy(async () => ({ default: (await ended()).EmptyCart }))
