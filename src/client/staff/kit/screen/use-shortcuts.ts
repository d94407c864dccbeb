import { atom, useAtomValue, useSetAtom } from 'jotai'
import { useEffect } from 'react'

export type Shortcut = {
  /** `KeyboardEvent.key`: `n`, `/`, `ArrowDown`. */
  key: string
  /** Description in the list of shortcuts. */
  description: string
  run: () => void
}

const activeShortcutsAtom = atom<readonly (readonly Shortcut[])[]>([])

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))

const isInDialog = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[role="dialog"], [role="alertdialog"]') !== null

/**
 * Registers keyboard shortcuts while the component is mounted. They are ignored while the user types or a dialog is open, and listed
 * under `?`. Pass a stable list.
 */
export const useShortcuts = (shortcuts: readonly Shortcut[]): void => {
  const setActive = useSetAtom(activeShortcutsAtom)
  useEffect(() => {
    setActive((active) => [...active, shortcuts])
    const handleKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (isTyping(event.target) || isInDialog(event.target)) return
      const shortcut = shortcuts.find(({ key }) => key === event.key)
      if (!shortcut) return
      event.preventDefault()
      shortcut.run()
    }
    document.addEventListener('keydown', handleKey)
    return () => {
      document.removeEventListener('keydown', handleKey)
      setActive((active) => active.filter((registered) => registered !== shortcuts))
    }
  }, [shortcuts, setActive])
}

/** All shortcuts that are currently registered. */
export const useActiveShortcuts = (): readonly Shortcut[] => useAtomValue(activeShortcutsAtom).flat()
