import { type RefObject, useEffect } from 'react'

/** Calls `onPress` on a pointer press outside of `inside`, or on Escape, while `active`. */
export const useOutsidePress = (inside: RefObject<Element | null>, active: boolean, onPress: () => void) => {
  useEffect(() => {
    if (!active) return
    const press = (event: Event) => {
      if (event.target instanceof Node && inside.current?.contains(event.target)) return
      onPress()
    }
    const escapeKey = (event: KeyboardEvent) => event.key === 'Escape' && onPress()
    document.addEventListener('pointerdown', press)
    document.addEventListener('keydown', escapeKey)
    return () => {
      document.removeEventListener('pointerdown', press)
      document.removeEventListener('keydown', escapeKey)
    }
  }, [inside, active, onPress])
}
