import { useEffect } from 'react'
import { useSignal } from '#platform/signal.ts'
import { documentTitle, stateTitle } from './document-title.ts'

type RouteAnnouncerProps = { address: string; title: string | null }

/** Focuses the heading so that screen readers announce a new screen, or a new state of the same screen. */
export const focusHeading = () => {
  const heading = document.querySelector<HTMLElement>('main h1') ?? document.querySelector<HTMLElement>('main')
  if (!heading) return
  heading.setAttribute('tabindex', '-1')
  heading.focus({ preventScroll: true })
}

// A page has one view, so its last URL is stored per module, not per component instance.
let lastAddress: string | undefined

/** Call it before a navigation to an address of the same view: what is chosen on a screen may be part of its path. */
export const keepViewAt = (address: string): void => {
  lastAddress = address
}

/**
 * The part of a URL that identifies a view: its path and the page of a list. Filters, tabs and side panels change a
 * view in place.
 */
const viewOf = (address: string): string => {
  const [path, search] = address.split('?', 2)
  return `${path} ${new URLSearchParams(search).get('page')}`
}

/**
 * Sets the document title. When the URL changes to another view, also scrolls to the top (section 2) and focuses the
 * heading, so that screen readers announce the new screen. The first screen keeps the browser's scroll position and focus.
 */
export const RouteAnnouncer = ({ address, title }: RouteAnnouncerProps) => {
  const state = useSignal(stateTitle)
  useEffect(() => {
    document.title = documentTitle(state ?? title)
  }, [state, title])
  useEffect(() => {
    const previousAddress = lastAddress
    lastAddress = address
    if (previousAddress === undefined || viewOf(previousAddress) === viewOf(address)) return
    window.scrollTo(0, 0)
    focusHeading()
  }, [address])
  return null
}
