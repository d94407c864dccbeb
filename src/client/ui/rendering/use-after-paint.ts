import { startTransition, useEffect, useState } from 'react'

/**
 * A value as it was until the screen has shown the change that came with it: for what may follow a tap a moment later, so that the tap's
 * own mark is seen at once. Unlike `useDeferredValue` it does not begin before that frame.
 */
export const useAfterPaint = <Value>(value: Value): Value => {
  const [shown, setShown] = useState(() => value)
  useEffect(() => {
    if (Object.is(shown, value)) return
    let task: ReturnType<typeof setTimeout> | undefined
    // A task asked for within a frame runs once that frame is on its way to the screen.
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
