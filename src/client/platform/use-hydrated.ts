import { useSyncExternalStore } from 'react'

const never = () => () => undefined

/**
 * False while a prerendered page is hydrated, true afterwards: the first render must match the server's markup, and
 * device data follows right after.
 */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
