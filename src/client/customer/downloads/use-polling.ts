import { useEffect } from 'react'

const lookAgainMs = 4000

/** Looks `again` every few seconds, as long as somebody watches; null where there is nothing to wait for. */
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
