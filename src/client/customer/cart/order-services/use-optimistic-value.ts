import { useState } from 'react'

/** What a control shows: what was tapped last until its write has ended, then what the cart holds, which has followed by then. */
export const useOptimisticValue = <Value>(held: Value) => {
  const [tapped, setTapped] = useState<{ value: Value } | null>(null)
  const tap = async (value: Value, write: Promise<boolean>) => {
    const mine = { value }
    setTapped(mine)
    await write.finally(() => setTapped((now) => (now === mine ? null : now)))
  }
  return { shown: tapped ? tapped.value : held, tap }
}
