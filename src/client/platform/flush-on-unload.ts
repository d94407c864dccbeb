type Keep = () => Promise<unknown> | undefined

const keepers = new Set<Keep>()

/** Registers a callback that stores unsaved input (e.g. of a form between two keystrokes) before the page unloads. */
export const flushBeforeUnload = (keep: Keep): (() => void) => {
  keepers.add(keep)
  return () => keepers.delete(keep)
}

/** Called before the page leaves by itself (new version, maintenance): all input is stored when it resolves. */
export const flushAll = async (): Promise<void> => {
  await Promise.allSettled([...keepers].map((keep) => keep()))
}
