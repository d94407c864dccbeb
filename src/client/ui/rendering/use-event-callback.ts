import { useCallback, useLayoutEffect, useRef } from 'react'

/**
 * One function for the life of a component, that does what the newest render says: for long lists whose rows are drawn again only
 * when something of theirs changed.
 */
export const useEventCallback = <Given extends unknown[]>(
  handler: (...given: Given) => void,
): ((...given: Given) => void) => {
  const newest = useRef(handler)
  useLayoutEffect(() => {
    newest.current = handler
  })
  return useCallback((...given: Given) => newest.current(...given), [])
}
