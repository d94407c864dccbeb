type Keep = () => Promise<unknown> | undefined

const keepers = new Set<Keep>()

/** Something that holds words not yet written down (a form between two keystrokes) and can write them at once. */
export const flushBeforeUnload = (keep: Keep): (() => void) => {
  keepers.add(keep)
  return () => keepers.delete(keep)
}

/** Called before the page leaves by itself (a new version, maintenance): everything typed is on the device when it resolves. */
export const flushAll = async (): Promise<void> => {
  await Promise.allSettled([...keepers].map((keep) => keep()))
}
