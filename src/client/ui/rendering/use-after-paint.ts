import { startTransition, useEffect, useState } from 'react'

/**
 * A value that lags behind until the change has been painted: for work that may follow a tap a frame later, so that the
 * tap's feedback is visible at once. Unlike `useDeferredValue`, it never starts before that frame.
 */
export const useAfterPaint = <Value>(value: Value): Value => {
  const [shown, setShown] = useState(() => value)
  useEffect(() => {
    if (Object.is(shown, value)) return
    let task: ReturnType<typeof setTimeout> | undefined
    // A task queued within a frame runs after that frame was rendered.
    const frame = requestAnimationFrame(() => {
      task = setTimeout(() => startTransition(() => setShown(() => value)))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(task)
    }
  }, [value, shown])
  return shown
}
