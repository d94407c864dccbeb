import { useEffect } from 'react'
import { useSignal } from '../device/signal.ts'
import { stateTitle } from '../ui/state-title.ts'
import { documentTitle } from './title.ts'

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

/**
 * Stands beside a screen and speaks once it is there: the document takes its title (or that of the state it is in), the view scrolls to the top (section 2), and the
 * heading takes the focus, so that a screen reader says where it is now. The first screen keeps the browser's own focus.
 */
export const Arrived = ({ address, title }: ArrivedProps) => {
  const state = useSignal(stateTitle)
  useEffect(() => {
    document.title = documentTitle(state ?? title)
  }, [state, title])
  useEffect(() => {
    const before = lastAddress
    lastAddress = address
    if (before === undefined || before === address) return
    window.scrollTo(0, 0)
    focusHeading()
  }, [address])
  return null
}
