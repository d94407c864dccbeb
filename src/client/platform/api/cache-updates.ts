/** The path and query of an answer that is no longer what it was; `null` when everything may have changed. */
export type CacheUpdate = string | null

const listeners = new Set<(changed: CacheUpdate) => void>()

/** Hears of answers that changed behind the page: the worker fetched a newer one, or the visit gained rights. */
export const onCacheUpdate = (listener: (changed: CacheUpdate) => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const notifyCacheUpdate = (changed: CacheUpdate): void => {
  for (const listener of [...listeners]) listener(changed)
}
