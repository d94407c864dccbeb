import { useCallback, useLayoutEffect, useRef } from 'react'

/** A stable function that always runs the latest render's callback: for long lists with memoized rows. */
export const useEventCallback = <Given extends unknown[]>(
  handler: (...args: Given) => void,
): ((...args: Given) => void) => {
  const newest = useRef(handler)
  useLayoutEffect(() => {
    newest.current = handler
  })
  return useCallback((...args: Given) => newest.current(...args), [])
}
