import { useEffect } from 'react'

const lookAgainMs = 4000

/** Calls `again` every few seconds while the page is visible; null stops polling. */
export const usePolling = (again: (() => void) | null): void => {
  useEffect(() => {
    if (again === null) return
    const look = () => document.visibilityState === 'visible' && again()
    const timer = setInterval(look, lookAgainMs)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [again])
}
