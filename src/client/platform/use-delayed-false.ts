import { useEffect, useState } from 'react'

/** A truth that turns false only after it has been false for `ms` milliseconds, and true at once. */
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
