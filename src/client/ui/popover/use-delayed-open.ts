import { useCallback, useEffect, useRef, useState } from 'react'

type Delays = { showMs: number; hideMs: number }

/** A boolean that changes after the delay for its direction; the last request wins. */
export const useDelayedOpen = ({ showMs, hideMs }: Delays) => {
  const [open, setOpen] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const request = useCallback((next: boolean, ms: number) => {
    clearTimeout(timer.current)
    if (ms === 0) setOpen(next)
    else timer.current = setTimeout(() => setOpen(next), ms)
  }, [])
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    open,
    show: useCallback(() => request(true, showMs), [request, showMs]),
    hide: useCallback(() => request(false, hideMs), [request, hideMs]),
    hideNow: useCallback(() => request(false, 0), [request]),
  }
}
