/** Maximum delay: after this time the callback runs even if the page is not idle. */
const maxDelayMs = 5_000

/** Delay in browsers that cannot detect an idle page. */
const fallbackDelayMs = 1_000

/** Runs a callback when the page is idle. Returns a function that cancels it. */
export const whenIdle = (callback: () => void): (() => void) => {
  // Safari does not support requestIdleCallback.
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(callback, fallbackDelayMs)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(callback, { timeout: maxDelayMs })
  return () => cancelIdleCallback(handle)
}

/** Resolves when the page is idle: for code that the screen does not need for the first tap. */
export const untilIdle = (): Promise<void> => new Promise((resolve) => void whenIdle(resolve))
