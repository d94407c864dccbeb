import { useState } from 'react'

/**
 * The control's value: the last one tapped until its write ends, then the value from the cart, which is up to date by
 * then.
 */
export const useOptimisticValue = <Value>(stored: Value) => {
  const [tapped, setTapped] = useState<{ value: Value } | null>(null)
  const tap = async (value: Value, write: Promise<boolean>) => {
    const mine = { value }
    setTapped(mine)
    await write.finally(() => setTapped((now) => (now === mine ? null : now)))
  }
  return { shown: tapped ? tapped.value : stored, tap }
}
