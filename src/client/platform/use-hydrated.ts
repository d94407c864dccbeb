import { useSyncExternalStore } from 'react'

const never = () => () => undefined

/**
 * False while a page made on the server is being taken over, true from then on: the first render has to say exactly what the
 * server's template says, and what only the device knows comes right after.
 */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
