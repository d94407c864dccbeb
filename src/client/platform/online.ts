import { createSignal, useSignal } from './signal.ts'

/**
 * Whether the network seems to be there. `navigator.onLine` knows only when it surely is not, so what happened to the last call
 * counts as well.
 */
export const online = createSignal(true)

/** What became of a call: it reached the server, or nothing did. */
export const reportReachable = (reached: boolean): void => online.set(reached)

/** Begins to listen to the browser; once, at start. */
export const watchOnline = (target: Window): void => {
  online.set(target.navigator.onLine)
  target.addEventListener('online', () => online.set(true))
  target.addEventListener('offline', () => online.set(false))
}

export const useOnline = (): boolean => useSignal(online)
