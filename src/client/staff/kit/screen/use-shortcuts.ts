import { useEffect } from 'react'
import { createSignal, useSignal } from '#platform/signal.ts'

export type Shortcut = {
  /** `KeyboardEvent.key`: `n`, `/`, `ArrowDown`. */
  key: string
  /** Description in the list of shortcuts. */
  description: string
  run: () => void
}

const activeShortcuts = createSignal<readonly (readonly Shortcut[])[]>([])

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))

const isInDialog = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[role="dialog"], [role="alertdialog"]') !== null

/**
 * Registers keyboard shortcuts while the component is mounted. They are ignored while the user types or a dialog is open, and listed
 * under `?`. Pass a stable list.
 */
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

/** All shortcuts that are registered now. */
export const useActiveShortcuts = (): readonly Shortcut[] => useSignal(activeShortcuts).flat()
