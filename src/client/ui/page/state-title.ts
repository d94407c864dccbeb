import { useEffect } from 'react'
import { createSignal } from '#platform/signal.ts'

/** The title of what the screen shows in the place of itself, such as "Not found"; null while it shows itself. */
export const stateTitle = createSignal<string | null>(null)

/** Names the document after a state of the screen for as long as it is shown; null leaves the screen's own title. */
export const useStateTitle = (title: string | null): void => {
  useEffect(() => {
    if (title === null) return
    stateTitle.set(title)
    return () => stateTitle.set(null)
  }, [title])
}
