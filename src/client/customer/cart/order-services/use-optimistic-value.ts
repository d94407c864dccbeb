import { useState } from 'react'

/**
 * The value of a control: the customer's last choice until its write ends, then the stored value, which is up to date
 * by then.
 */
export const useOptimisticValue = <Value>(stored: Value) => {
  const [pending, setPending] = useState<{ value: Value } | null>(null)
  const setOptimistically = async (value: Value, write: Promise<boolean>) => {
    const latest = { value }
    setPending(latest)
    await write.finally(() => setPending((current) => (current === latest ? null : current)))
  }
  return { value: pending ? pending.value : stored, setOptimistically }
}
