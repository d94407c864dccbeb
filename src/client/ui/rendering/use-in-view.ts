import { type RefObject, startTransition, useLayoutEffect, useRef, useState } from 'react'

type Edges = Pick<DOMRect, 'top' | 'bottom' | 'left' | 'right'>

/** Whether an element is within a frame, or within the frame's own size of it. */
export const isNearView = (element: Edges, frame: Edges): boolean => {
  const [width, height] = [frame.right - frame.left, frame.bottom - frame.top]
  return (
    element.right >= frame.left - width &&
    element.left <= frame.right + width &&
    element.bottom >= frame.top - height &&
    element.top <= frame.bottom + height
  )
}

const screen = (): Edges => ({ top: 0, left: 0, bottom: window.innerHeight, right: window.innerWidth })

/**
 * Whether an element is visible or near the viewport, so that long lists can skip the rest. `within` is the scroll
 * container: the page, or the element's parent. An element that contains the focus always counts.
 */
export const useInView = <Target extends HTMLElement>(
  within: 'page' | 'parent',
): [RefObject<Target | null>, boolean] => {
  const ref = useRef<Target>(null)
  // Prerendered pages show what is in the page, because nothing can be measured.
  const [isNear, setIsNear] = useState(import.meta.env.SSR && within === 'page')
  useLayoutEffect(() => {
    const { current } = ref
    if (!current) return
    const root = within === 'parent' ? current.parentElement : null
    // Set before the first frame, so that nothing visible starts empty.
    setIsNear(isNearView(current.getBoundingClientRect(), root?.getBoundingClientRect() ?? screen()))
    let isIntersecting = true
    const update = (focused: EventTarget | null) => {
      if (isIntersecting || (focused instanceof Node && current.contains(focused))) setIsNear(true)
      // Removing content has low priority.
      else startTransition(() => setIsNear(false))
    }
    const onIntersect = (entries: IntersectionObserverEntry[]) => {
      isIntersecting = entries.at(-1)?.isIntersecting === true
      update(document.activeElement)
    }
    const onFocusOut = ({ relatedTarget }: FocusEvent) => update(relatedTarget)
    const observer = new IntersectionObserver(onIntersect, { root, rootMargin: '100%' })
    observer.observe(current)
    current.addEventListener('focusout', onFocusOut)
    return () => {
      observer.disconnect()
      current.removeEventListener('focusout', onFocusOut)
    }
  }, [within])
  return [ref, isNear]
}
