import { useEffect, useState } from 'react'

/** A boolean that becomes false only after `ms` milliseconds of being false, and true at once. */
export const useDelayedFalse = (truth: boolean, ms: number): boolean => {
  const [steady, setSteady] = useState(truth)
  useEffect(() => {
    if (truth) {
      setSteady(true)
      return
    }
    const timer = setTimeout(() => setSteady(false), ms)
    return () => clearTimeout(timer)
  }, [truth, ms])
  return steady
}
