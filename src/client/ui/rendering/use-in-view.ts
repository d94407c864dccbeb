import { type RefObject, startTransition, useLayoutEffect, useRef, useState } from 'react'

type Edges = Pick<DOMRect, 'top' | 'bottom' | 'left' | 'right'>

/** Whether something is in a frame, or no more than the frame's own size away from it. */
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
 * Whether an element is in sight or soon may be: what a long list leaves out elsewhere costs nothing. `within` is what scrolls: the
 * page, or the element's own parent. Whoever has the focus in it keeps it.
 */
export const useInView = <Of extends HTMLElement>(within: 'page' | 'parent'): [RefObject<Of | null>, boolean] => {
  const ref = useRef<Of>(null)
  const [near, setNear] = useState(false)
  useLayoutEffect(() => {
    const { current } = ref
    if (!current) return
    const root = within === 'parent' ? current.parentElement : null
    // Told before the first frame: nothing in sight begins empty.
    setNear(isNearView(current.getBoundingClientRect(), root?.getBoundingClientRect() ?? screen()))
    let isHere = true
    const tell = (focused: EventTarget | null) => {
      if (isHere || (focused instanceof Node && current.contains(focused))) setNear(true)
      // What need not be shown any more goes when there is time.
      else startTransition(() => setNear(false))
    }
    const hear = (seen: IntersectionObserverEntry[]) => {
      isHere = seen.at(-1)?.isIntersecting === true
      tell(document.activeElement)
    }
    const leave = ({ relatedTarget }: FocusEvent) => tell(relatedTarget)
    const observer = new IntersectionObserver(hear, { root, rootMargin: '100%' })
    observer.observe(current)
    current.addEventListener('focusout', leave)
    return () => {
      observer.disconnect()
      current.removeEventListener('focusout', leave)
    }
  }, [within])
  return [ref, near]
}
