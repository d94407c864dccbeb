import { useEffect, useState } from 'react'

/** False at first, true once `ms` milliseconds have passed: what loads faster never flashes a sign that it loads. */
export const useDelayedTrue = (ms: number): boolean => {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return late
}
