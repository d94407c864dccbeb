import { useEffect, useState } from 'react'

/** False at first, true after `ms` milliseconds, so that fast loads show no loading indicator. */
export const useDelayedTrue = (ms: number): boolean => {
  const [isLate, setIsLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return isLate
}
