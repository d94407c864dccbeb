import { useEffect, useEffectEvent } from 'react'

/**
 * Calls `poll` every `intervalMs` milliseconds while the page is visible, and whenever it becomes visible. Null stops
 * polling.
 */
export const usePolling = (poll: (() => void) | null, intervalMs: number): void => {
  const pollIfVisible = useEffectEvent(() => document.visibilityState === 'visible' && poll?.())
  const isPolling = poll !== null
  useEffect(() => {
    if (!isPolling) return
    const onVisible = () => void pollIfVisible()
    const timer = setInterval(onVisible, intervalMs)
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', onVisible)
    }
  }, [isPolling, intervalMs])
}
