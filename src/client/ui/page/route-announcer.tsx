import { useEffect } from 'react'
import { useSignal } from '#platform/signal.ts'
import { documentTitle } from './document-title.ts'
import { stateTitle } from './state-title.ts'

type ArrivedProps = { address: string; title: string | null }

/** Says where one is now to who listens: at another screen, or where one screen became another by itself. */
export const focusHeading = () => {
  const heading = document.querySelector<HTMLElement>('main h1') ?? document.querySelector<HTMLElement>('main')
  if (!heading) return
  heading.setAttribute('tabindex', '-1')
  heading.focus({ preventScroll: true })
}

// A page has one view: where it last arrived belongs to it, not to the place this component happens to stand in.
let lastAddress: string | undefined

/** What of an address is a view of its own: its path and the page of a list. Filters, tabs and what is open beside a list change it in place. */
const viewOf = (address: string): string => {
  const [path, search] = address.split('?', 2)
  return `${path} ${new URLSearchParams(search).get('page')}`
}

/**
 * Stands beside a screen and speaks once it is there: the document takes its title (or that of the state it is in), the view scrolls to the top (section 2), and the
 * heading takes the focus, so that a screen reader says where it is now. The first screen keeps the browser's own focus.
 */
export const RouteAnnouncer = ({ address, title }: ArrivedProps) => {
  const state = useSignal(stateTitle)
  useEffect(() => {
    document.title = documentTitle(state ?? title)
  }, [state, title])
  useEffect(() => {
    const before = lastAddress
    lastAddress = address
    if (before === undefined || viewOf(before) === viewOf(address)) return
    window.scrollTo(0, 0)
    focusHeading()
  }, [address])
  return null
}
