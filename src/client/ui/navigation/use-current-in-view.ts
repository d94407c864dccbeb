import { type RefObject, useLayoutEffect } from 'react'

/**
 * Keeps the chosen one of a row in sight, in the middle, where the row is longer than the screen is wide. `row` is what scrolls;
 * `face` changes with the choice, and with what makes one of them wider.
 */
export const useCurrentInView = (row: RefObject<HTMLElement | null>, face: string): void => {
  useLayoutEffect(() => {
    const chosen = face !== '' && row.current?.querySelector('[aria-current="page"], [aria-selected="true"]')
    if (!row.current || !chosen) return
    const [outer, inner] = [row.current.getBoundingClientRect(), chosen.getBoundingClientRect()]
    row.current.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2
  }, [row, face])
}
