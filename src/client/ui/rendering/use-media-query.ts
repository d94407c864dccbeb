import { useCallback, useSyncExternalStore } from 'react'

/** Whether the page matches the media query; it renders again when that changes. */
export const useMediaQuery = (query: string): boolean => {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', onChange)
      return () => list.removeEventListener('change', onChange)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches)
}

/**
 * Whether the screen is as narrow as that of a phone, for what style sheets cannot change. They use the same width in
 * pixels.
 */
export const useIsPhone = (): boolean => useMediaQuery('(max-width: 639px)')
