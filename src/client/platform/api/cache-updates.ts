import { createSignal } from '../signal.ts'

/** Set when a new version waits for consent: calling its `accept` flushes all input and activates the new version. */
export const pendingUpdate = createSignal<{ accept: () => Promise<void> } | null>(null)

/**
 * Path and query of an outdated response; `null` if everything may have changed; `notCached` if the worker has not
 * cached what this page requested before.
 */
export type CacheUpdate = string | null

export const notCached = ''

const listeners = new Set<(changed: CacheUpdate) => void>()

/**
 * Subscribes to responses that changed in the background: the worker fetched a newer one, or the session gained access.
 */
export const onCacheUpdate = (listener: (changed: CacheUpdate) => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const notifyCacheUpdate = (changed: CacheUpdate): void => {
  for (const listener of [...listeners]) listener(changed)
}
