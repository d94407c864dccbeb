import { useEffect, useState } from 'react'

/** A value that updates once it has not changed for `ms` milliseconds. */
export const useDebouncedValue = <Value>(value: Value, ms: number): Value => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}
