import { startTransition, useEffect, useState } from 'react'

/**
 * Returns `value` one frame late: for work that may follow a tap a frame later, so that the tap's feedback is visible
 * at once. Unlike `useDeferredValue`, it never starts before that frame.
 */
export const useAfterPaint = <Value>(value: Value): Value => {
  const [paintedValue, setPaintedValue] = useState(() => value)
  useEffect(() => {
    if (Object.is(paintedValue, value)) return
    let task: ReturnType<typeof setTimeout> | undefined
    // A task queued within a frame runs after that frame was rendered.
    const frame = requestAnimationFrame(() => {
      task = setTimeout(() => startTransition(() => setPaintedValue(() => value)))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(task)
    }
  }, [value, paintedValue])
  return paintedValue
}
