import { autoUpdate, flip, offset, type Placement, shift, useFloating } from '@floating-ui/react'

const gap = 6
const edge = 8

/** Keeps a floating box next to its anchor and on the screen while scrolling. */
export const useAnchored = (open: boolean, placement: Placement) => {
  const { refs, floatingStyles } = useFloating({
    open,
    placement,
    strategy: 'fixed',
    whileElementsMounted: autoUpdate,
    middleware: [offset(gap), flip({ padding: edge }), shift({ padding: edge })],
  })
  return { setAnchor: refs.setReference, setBox: refs.setFloating, style: floatingStyles }
}
