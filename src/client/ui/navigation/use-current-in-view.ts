import { type RefObject, useLayoutEffect } from 'react'

/**
 * Keeps the selected item of a scrollable row centred in view. `row` is the scroll container; `face` changes with the
 * selection and with anything that affects the width.
 */
export const useCurrentInView = (row: RefObject<HTMLElement | null>, face: string): void => {
  useLayoutEffect(() => {
    const chosen = face !== '' && row.current?.querySelector('[aria-current="page"], [aria-selected="true"]')
    if (!row.current || !chosen) return
    const [outer, inner] = [row.current.getBoundingClientRect(), chosen.getBoundingClientRect()]
    row.current.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2
  }, [row, face])
}
