import type { Sender } from './send-loop.ts'

export type WakeSignals = {
  window: EventTarget
  document: EventTarget & { readonly visibilityState: string }
  /** Calls a listener for every answer of the server to the page's other calls; returns how to stop that. */
  onServerResponse?: (listener: () => void) => () => void
}

/** Wakes a sender on every sign of a network that a page has, until the returned function is called. */
export const wakeOnSignals = (
  sender: Pick<Sender, 'wake'>,
  { window, document, onServerResponse: onServerAnswer }: WakeSignals,
): (() => void) => {
  const online = () => void sender.wake('online')
  const shown = () => void sender.wake('pageshow')
  const visible = () => {
    if (document.visibilityState === 'visible') void sender.wake('visible')
  }
  window.addEventListener('online', online)
  window.addEventListener('pageshow', shown)
  document.addEventListener('visibilitychange', visible)
  const stopListening = onServerAnswer?.(() => void sender.wake('answer'))
  return () => {
    window.removeEventListener('online', online)
    window.removeEventListener('pageshow', shown)
    document.removeEventListener('visibilitychange', visible)
    stopListening?.()
  }
}
