type Flush = () => Promise<unknown> | undefined

const keepers = new Set<Flush>()

/** Registers a callback that stores unsaved input (e.g. of a form between two keystrokes) before the page unloads. */
export const flushBeforeUnload = (flush: Flush): (() => void) => {
  keepers.add(flush)
  return () => keepers.delete(flush)
}

/** Called before the page leaves by itself (new version, maintenance): all input is stored when it resolves. */
export const flushAll = async (): Promise<void> => {
  await Promise.allSettled([...keepers].map((flush) => flush()))
}
