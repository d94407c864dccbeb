import { Component, type ErrorInfo, type ReactNode, useEffect } from 'react'
import { documentTitle } from './title.ts'

import './shell.css'

type Props = { address: string; children: ReactNode }
type State = { failed: boolean; address: string }

/**
 * Catches what only we can fix. Going to another address tries again; what was typed and chosen is on the device already. What it
 * says is part of the first bytes and needs nothing: the fault may be that code did not come.
 */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failed: false, address: this.props.address }

  static getDerivedStateFromError(): Partial<State> {
    return { failed: true }
  }

  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    return props.address === state.address ? null : { failed: false, address: props.address }
  }

  override componentDidCatch(error: unknown, info: ErrorInfo) {
    console.error(error, info.componentStack)
  }

  override render() {
    return this.state.failed ? <Failed /> : this.props.children
  }
}

const stopped = 'This screen stopped working'

const Failed = () => {
  useEffect(() => {
    document.title = documentTitle(stopped)
  }, [])
  return (
    <main className="failed">
      <h1>{stopped}</h1>
      <p>Something went wrong here, and it was not your doing. Your cart and what you typed are kept on this device.</p>
      <p>
        Without a connection some screens can’t be opened yet. <a href={window.location.href}>Load this page again</a>,
        or <a href="/">go to the start</a> and come in from there.
      </p>
    </main>
  )
}
