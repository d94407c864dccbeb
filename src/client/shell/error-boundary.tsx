import { Component, type ErrorInfo, type ReactNode } from 'react'
import { Trouble } from './trouble.tsx'

type Props = { address: string; children: ReactNode }
type State = { failed: boolean; address: string }

/** Catches what only we can fix. Going to another address tries again; what was typed and chosen is on the device already. */
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
    if (!this.state.failed) return this.props.children
    return (
      <Trouble title="This screen stopped working">
        <p>
          Something here went wrong, and it was not your doing. Your cart and what you typed are kept on this device.
        </p>
        <p>Load the page again. If it happens once more, go back to the start and come in from there.</p>
      </Trouble>
    )
  }
}
