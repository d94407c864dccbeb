import { useEffect, useState } from 'react'
import { useOnline } from './online.ts'

/** Follows `value`: becomes true at once, but false only after `value` was false for `ms` milliseconds. */
const useDelayedFalse = (value: boolean, ms: number): boolean => {
  const [delayedValue, setDelayedValue] = useState(value)
  useEffect(() => {
    if (value) {
      setDelayedValue(true)
      return
    }
    const timer = setTimeout(() => setDelayedValue(false), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return delayedValue
}

/** Milliseconds the network must be gone before it is reported: short gaps are ignored. */
const offlineDelayMs = 2000

/** Whether the network is available, as all screens of a job show it. */
export const useConnected = (): boolean => useDelayedFalse(useOnline(), offlineDelayMs)
