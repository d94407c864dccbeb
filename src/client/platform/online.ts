import { createSignal, useSignal } from './signal.ts'

/**
 * Whether the network seems available. `navigator.onLine` is only reliable when false, so the result of the last call
 * counts too.
 */
export const online = createSignal(true)

/** Reports the result of a call: the server was reached, or nothing was. */
export const reportReachable = (isReached: boolean): void => online.set(isReached)

/** Subscribes to the browser's events; called once at startup. */
export const watchOnline = (target: Window): void => {
  online.set(target.navigator.onLine)
  target.addEventListener('online', () => online.set(true))
  target.addEventListener('offline', () => online.set(false))
}

export const useOnline = (): boolean => useSignal(online)
