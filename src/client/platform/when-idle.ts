/** Milliseconds after which it is done all the same. */
const patienceMs = 5_000

/** Does something once the page has nothing better to do; the returned function takes it back. */
export const whenIdle = (work: () => void): (() => void) => {
  // Safari has no word for it.
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(work, 1_000)
    return () => clearTimeout(timer)
  }
  const asked = requestIdleCallback(work, { timeout: patienceMs })
  return () => cancelIdleCallback(asked)
}
