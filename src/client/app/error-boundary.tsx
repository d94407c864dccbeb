import { Component, type ErrorInfo, type ReactNode, useEffect } from 'react'
import { isMissingCode } from '#platform/reload-on-preload-error.ts'
import { documentTitle } from '../ui/page/document-title.ts'

import './error-boundary.css'

type Props = { address: string; children: ReactNode }
type State = { failure: 'stopped' | 'not-loaded' | null; address: string }

/**
 * Catches bugs and missing code. Navigating to another URL retries; all input is already stored on the device. Its
 * message is part of the entry bundle and depends on nothing else, since the failure may be a missing chunk.
 */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failure: null, address: this.props.address }

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { failure: isMissingCode(error) ? 'not-loaded' : 'stopped' }
  }

  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    return props.address === state.address ? null : { failure: null, address: props.address }
  }

  override componentDidCatch(error: unknown, info: ErrorInfo) {
    console.error(error, info.componentStack)
  }

  override render() {
    const { failure } = this.state
    return failure ? <ErrorScreen isStopped={failure === 'stopped'} /> : this.props.children
  }
}

const titleOf = (isStopped: boolean): string => {
  if (isStopped) return 'This screen stopped working'
  return navigator.onLine ? 'This screen did not load' : 'There is no connection right now'
}

const ErrorScreen = ({ isStopped }: { isStopped: boolean }) => {
  const title = titleOf(isStopped)
  useEffect(() => {
    document.title = documentTitle(title)
    if (isStopped) return
    const reload = () => location.reload()
    addEventListener('online', reload)
    return () => removeEventListener('online', reload)
  }, [title, isStopped])
  return (
    <main className="failed">
      <h1>{title}</h1>
      <p>
        {isStopped ? 'Something went wrong on our side.' : 'This screen isn’t on this device yet.'} Your cart and what
        you typed are saved on this device.
      </p>
      <p>
        <a href={window.location.href}>Load this page again</a>, or <a href="/">go to the home page</a>.
      </p>
    </main>
  )
}
