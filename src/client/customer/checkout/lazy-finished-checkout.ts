import { lazy } from 'react'

// Rarely needed: a separate chunk keeps it out of most downloads.
const importFinishedCheckout = () => import('./finished-checkout.tsx')
export const AlreadyOrdered = lazy(async () => ({ default: (await importFinishedCheckout()).AlreadyOrdered }))
export const EmptyCart = lazy(async () => ({ default: (await importFinishedCheckout()).EmptyCart }))
