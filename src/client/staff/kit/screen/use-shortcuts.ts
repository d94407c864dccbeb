import { useEffect } from 'react'
import { createSignal, useSignal } from '#platform/signal.ts'

export type Key = {
  /** As the keyboard names it: `n`, `/`, `ArrowDown`. */
  key: string
  /** What it does, as the list of keys says it. */
  does: string
  run: () => void
}

const known = createSignal<readonly (readonly Key[])[]>([])

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))

const isInDialog = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[role="dialog"], [role="alertdialog"]') !== null

/** The keys of this screen, while it is shown: heard where nobody types and no dialog is open, and listed under `?`. Keep the list stable. */
export const useKeys = (keys: readonly Key[]): void => {
  useEffect(() => {
    known.set([...known.current(), keys])
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (isTyping(event.target) || isInDialog(event.target)) return
      const key = keys.find((one) => one.key === event.key)
      if (!key) return
      event.preventDefault()
      key.run()
    }
    document.addEventListener('keydown', press)
    return () => {
      document.removeEventListener('keydown', press)
      known.set(known.current().filter((one) => one !== keys))
    }
  }, [keys])
}

/** Every key that does something on this screen. */
export const useKnownKeys = (): readonly Key[] => useSignal(known).flat()
