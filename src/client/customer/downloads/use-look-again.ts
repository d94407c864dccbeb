import { useEffect } from 'react'

const lookAgainMs = 4000

/** Looks again every few seconds while something is being made, as long as somebody watches. */
export const useLookAgain = (making: boolean, again: () => void): void => {
  useEffect(() => {
    if (!making) return
    const look = () => document.visibilityState === 'visible' && again()
    const timer = setInterval(look, lookAgainMs)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [making, again])
}
