import { type ComponentType, type LazyExoticComponent, lazy } from 'react'

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

/** A component that loads when the page is idle; nothing is shown if it does not load. */
export const lazyWhenIdle = <Props>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> =>
  lazy(async () => {
    await new Promise<void>((resolve) => whenIdle(resolve))
    return { default: await load().catch(() => () => null) }
  })
