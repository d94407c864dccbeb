import { useCallback, useEffect, useRef, useState } from 'react'

type Delays = { showMs: number; hideMs: number }

/** A boolean that changes after the delay for its direction; the last request wins. */
export const useDelayedOpen = ({ showMs, hideMs }: Delays) => {
  const [open, setOpen] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const wish = useCallback((next: boolean, ms: number) => {
    clearTimeout(timer.current)
    if (ms === 0) setOpen(next)
    else timer.current = setTimeout(() => setOpen(next), ms)
  }, [])
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    open,
    show: useCallback(() => wish(true, showMs), [wish, showMs]),
    hide: useCallback(() => wish(false, hideMs), [wish, hideMs]),
    hideNow: useCallback(() => wish(false, 0), [wish]),
  }
}
