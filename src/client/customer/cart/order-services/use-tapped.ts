import { useState } from 'react'

/**
 * What a control shows: what was just tapped, until the device has written it down and what is `kept` says the same; at once what is
 * kept where the tap came to nothing.
 */
export const useTapped = <Value>(kept: Value) => {
  const [tapped, setTapped] = useState<{ over: Value; value: Value } | null>(null)
  if (tapped && tapped.over !== kept) setTapped(null)
  const tap = async (value: Value, write: Promise<boolean> | undefined) => {
    setTapped({ over: kept, value })
    const written = await write
    if (!written) setTapped(null)
  }
  return { shown: tapped?.over === kept ? tapped.value : kept, tap }
}
