import type { Sender } from './send-loop.ts'

export type WakeSignals = {
  window: EventTarget
  document: EventTarget & { readonly visibilityState: string }
  /** Calls the listener for every response to the page's other calls; the returned function stops that. */
  onServerResponse?: (listener: () => void) => () => void
}

/** Wakes a sender on every sign of a network that a page has, until the returned function is called. */
export const wakeOnSignals = (
  sender: Pick<Sender, 'wake'>,
  { window, document, onServerResponse }: WakeSignals,
): (() => void) => {
  const onOnline = () => void sender.wake('online')
  const onPageShow = () => void sender.wake('pageshow')
  const onVisible = () => {
    if (document.visibilityState === 'visible') void sender.wake('visible')
  }
  window.addEventListener('online', onOnline)
  window.addEventListener('pageshow', onPageShow)
  document.addEventListener('visibilitychange', onVisible)
  const stopListening = onServerResponse?.(() => void sender.wake('answer'))
  return () => {
    window.removeEventListener('online', onOnline)
    window.removeEventListener('pageshow', onPageShow)
    document.removeEventListener('visibilitychange', onVisible)
    stopListening?.()
  }
}
