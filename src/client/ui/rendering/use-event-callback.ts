import { useCallback, useLayoutEffect, useRef } from 'react'

/** A stable function that always runs the latest render's callback: for long lists with memoized rows. */
export const useEventCallback = <Args extends unknown[], Result>(
  handler: (...args: Args) => Result,
): ((...args: Args) => Result) => {
  const latestHandler = useRef(handler)
  useLayoutEffect(() => {
    latestHandler.current = handler
  })
  return useCallback((...args: Args) => latestHandler.current(...args), [])
}
