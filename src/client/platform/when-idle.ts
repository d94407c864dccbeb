/** Timeout in milliseconds after which it runs anyway. */
const timeoutMs = 5_000

/** Runs a callback when the page is idle; returns a function that cancels it. */
export const whenIdle = (work: () => void): (() => void) => {
  // Safari does not support requestIdleCallback.
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(work, 1_000)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(work, { timeout: timeoutMs })
  return () => cancelIdleCallback(handle)
}
