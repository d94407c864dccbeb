/** The path and query of an answer that is no longer what it was; `null` when everything may have changed. */
export type Changed = string | null

const listeners = new Set<(changed: Changed) => void>()

/** Hears of answers that changed behind the page: the worker fetched a newer one, or the visit gained rights. */
export const onChange = (listener: (changed: Changed) => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const announceChange = (changed: Changed): void => {
  for (const listener of [...listeners]) listener(changed)
}
