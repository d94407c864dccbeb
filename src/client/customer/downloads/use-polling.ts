import { useEffect } from 'react'

const pollMs = 4000

/** Calls `poll` every few seconds while the page is visible; null stops polling. */
export const usePolling = (poll: (() => void) | null): void => {
  useEffect(() => {
    if (poll === null) return
    const pollIfVisible = () => document.visibilityState === 'visible' && poll()
    const timer = setInterval(pollIfVisible, pollMs)
    document.addEventListener('visibilitychange', pollIfVisible)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', pollIfVisible)
    }
  }, [poll])
}
