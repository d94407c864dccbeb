type Flush = () => Promise<unknown> | undefined

const flushCallbacks = new Set<Flush>()

/** Registers a callback that stores unsaved input (e.g. of a form between two keystrokes) before the page unloads. */
export const flushBeforeUnload = (flush: Flush): (() => void) => {
  flushCallbacks.add(flush)
  return () => flushCallbacks.delete(flush)
}

/** Stores all unsaved input. Called before the app itself reloads or leaves the page (new version, maintenance). */
export const flushAll = async (): Promise<void> => {
  await Promise.allSettled([...flushCallbacks].map((flush) => flush()))
}
