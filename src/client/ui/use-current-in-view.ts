import { type RefObject, useLayoutEffect } from 'react'

/**
 * Keeps the chosen one of a row in sight, in the middle, where the row is longer than the screen is wide. `row` is what scrolls;
 * `current` changes with the choice.
 */
export const useCurrentInView = (row: RefObject<HTMLElement | null>, current: string | undefined): void => {
  useLayoutEffect(() => {
    const chosen = current && row.current?.querySelector('[aria-current="page"], [aria-selected="true"]')
    if (!row.current || !chosen) return
    const [outer, inner] = [row.current.getBoundingClientRect(), chosen.getBoundingClientRect()]
    row.current.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2
  }, [row, current])
}
