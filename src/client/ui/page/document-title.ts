import { useEffect } from 'react'
import { createSignal } from '#platform/signal.ts'

export const productName = 'Fieldproof'

/**
 * The document title: the route's title followed by ' | ' and the product name, or the product name alone (section 2).
 */
export const documentTitle = (title: string | null): string => (title ? `${title} | ${productName}` : productName)

/** Title of the state shown instead of the screen, such as "Not found"; null while the screen itself is shown. */
export const stateTitle = createSignal<string | null>(null)

/** Sets the document title to a state of the screen while it is shown; null keeps the screen's title. */
export const useStateTitle = (title: string | null): void => {
  useEffect(() => {
    if (title === null) return
    stateTitle.set(title)
    return () => stateTitle.set(null)
  }, [title])
}
