import { useEffect } from 'react'
import { createSignal, useSignal } from '#platform/signal.ts'

export type Shortcut = {
  /** As the keyboard names it: `n`, `/`, `ArrowDown`. */
  key: string
  /** What it does, as the list of keys says it. */
  description: string
  run: () => void
}

const activeShortcuts = createSignal<readonly (readonly Shortcut[])[]>([])

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))

const isInDialog = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[role="dialog"], [role="alertdialog"]') !== null

/** The keys of this screen, while it is shown: heard where nobody types and no dialog is open, and listed under `?`. Keep the list stable. */
export const useShortcuts = (keys: readonly Shortcut[]): void => {
  useEffect(() => {
    activeShortcuts.set([...activeShortcuts.current(), keys])
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
      activeShortcuts.set(activeShortcuts.current().filter((one) => one !== keys))
    }
  }, [keys])
}

/** Every key that does something on this screen. */
export const useActiveShortcuts = (): readonly Shortcut[] => useSignal(activeShortcuts).flat()
