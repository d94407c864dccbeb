import { autoUpdate, flip, offset, type Placement, shift, useFloating } from '@floating-ui/react'
import { type RefObject, useEffect } from 'react'

/** Calls `onPress` on a pointer press outside of `container`, or on Escape, while `isActive`. */
export const useOutsidePress = (container: RefObject<Element | null>, isActive: boolean, onPress: () => void) => {
  useEffect(() => {
    if (!isActive) return
    const closeOnOutsidePress = (event: Event) => {
      if (event.target instanceof Node && container.current?.contains(event.target)) return
      onPress()
    }
    const closeOnEscape = (event: KeyboardEvent) => event.key === 'Escape' && onPress()
    document.addEventListener('pointerdown', closeOnOutsidePress)
    document.addEventListener('keydown', closeOnEscape)
    return () => {
      document.removeEventListener('pointerdown', closeOnOutsidePress)
      document.removeEventListener('keydown', closeOnEscape)
    }
  }, [container, isActive, onPress])
}

const gapPx = 6
const edgePx = 8

/** Keeps a floating box next to its anchor and on the screen while scrolling. */
export const useAnchored = (open: boolean, placement: Placement) => {
  const { refs, floatingStyles } = useFloating({
    open,
    placement,
    strategy: 'fixed',
    whileElementsMounted: autoUpdate,
    middleware: [offset(gapPx), flip({ padding: edgePx }), shift({ padding: edgePx })],
  })
  return { setAnchor: refs.setReference, setBox: refs.setFloating, style: floatingStyles }
}
