import { type RefObject, startTransition, useLayoutEffect, useRef, useState } from 'react'

type Edges = Pick<DOMRect, 'top' | 'bottom' | 'left' | 'right'>

/** Whether an element is within a frame, or within the frame's own size of it. */
export const isNearView = (one: Edges, frame: Edges): boolean => {
  const [wide, high] = [frame.right - frame.left, frame.bottom - frame.top]
  return (
    one.right >= frame.left - wide &&
    one.left <= frame.right + wide &&
    one.bottom >= frame.top - high &&
    one.top <= frame.bottom + high
  )
}

const screen = (): Edges => ({ top: 0, left: 0, bottom: window.innerHeight, right: window.innerWidth })

/**
 * Whether an element is visible or near the viewport, so that long lists can skip the rest. `within` is the scroll
 * container: the page, or the element's parent. An element that contains the focus always counts.
 */
export const useInView = <Of extends HTMLElement>(within: 'page' | 'parent'): [RefObject<Of | null>, boolean] => {
  const ref = useRef<Of>(null)
  const [near, setNear] = useState(false)
  useLayoutEffect(() => {
    const { current } = ref
    if (!current) return
    const root = within === 'parent' ? current.parentElement : null
    // Set before the first frame, so that nothing visible starts empty.
    setNear(isNearView(current.getBoundingClientRect(), root?.getBoundingClientRect() ?? screen()))
    let isHere = true
    const tell = (focused: EventTarget | null) => {
      if (isHere || (focused instanceof Node && current.contains(focused))) setNear(true)
      // Removing content has low priority.
      else startTransition(() => setNear(false))
    }
    const onIntersect = (entries: IntersectionObserverEntry[]) => {
      isHere = entries.at(-1)?.isIntersecting === true
      tell(document.activeElement)
    }
    const leave = ({ relatedTarget }: FocusEvent) => tell(relatedTarget)
    const observer = new IntersectionObserver(onIntersect, { root, rootMargin: '100%' })
    observer.observe(current)
    current.addEventListener('focusout', leave)
    return () => {
      observer.disconnect()
      current.removeEventListener('focusout', leave)
    }
  }, [within])
  return [ref, near]
}
