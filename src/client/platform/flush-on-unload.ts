type Flush = () => Promise<unknown> | undefined

const flushCallbacks = new Set<Flush>()

/** Registers a callback that stores unsaved input (e.g. of a form between two keystrokes) before the page unloads. */
export const flushBeforeUnload = (flush: Flush): (() => void) => {
  flushCallbacks.add(flush)
  return () => flushCallbacks.delete(flush)
}

/** Called before the page leaves by itself (new version, maintenance): all input is stored when it resolves. */
export const flushAll = async (): Promise<void> => {
  await Promise.allSettled([...flushCallbacks].map((flush) => flush()))
}
