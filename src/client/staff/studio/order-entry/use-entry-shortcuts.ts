import { type KeyboardEvent, type RefObject, useMemo } from 'react'
import { useShortcuts } from '#client/staff/kit/screen/use-shortcuts.ts'

export type TextControl = HTMLInputElement | HTMLTextAreaElement

/** The inputs that shortcuts move the focus to. */
export type EntryFieldRefs = {
  readonly subjectInput: RefObject<TextControl | null>
  readonly packageInput: RefObject<TextControl | null>
}

const fieldSelector = 'input:not([type="hidden"]):not(:disabled), select:not(:disabled), textarea:not(:disabled)'

/** Moves the focus to the next field. A group of radio buttons counts as one field. */
const focusNextField = (form: HTMLFormElement, from: Element) => {
  const fields = [...form.querySelectorAll<HTMLElement>(fieldSelector)].filter(
    (field) => !(field instanceof HTMLInputElement && field.type === 'radio' && !field.checked),
  )
  const index = fields.indexOf(from as HTMLElement) // -1 for other elements
  fields[index + 1]?.focus()
}

/** Keyboard shortcuts of the form. Enter moves to the next field or back to the packages, or submits the order. */
export const useEntryShortcuts = ({ subjectInput, packageInput }: EntryFieldRefs, submit: () => void) => {
  const shortcuts = useMemo(
    () => [
      { key: 'n', description: 'Choose the subject', run: () => subjectInput.current?.focus() },
      { key: 'p', description: 'Add a package', run: () => packageInput.current?.focus() },
      {
        key: 'm',
        description: 'Amount received',
        run: () => document.querySelector<HTMLElement>('[data-received]')?.focus(),
      },
    ],
    [subjectInput, packageInput],
  )
  useShortcuts(shortcuts)
  return (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key !== 'Enter' || event.defaultPrevented) return
    // A dialog above the form handles its own keys.
    if (event.target instanceof Node && !event.currentTarget.contains(event.target)) return
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault()
      return submit()
    }
    const { target } = event
    if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return
    event.preventDefault()
    if (target.dataset.received !== undefined) return submit()
    const line = target.closest('[data-line]')
    const isLastOfLine = line && [...line.querySelectorAll(fieldSelector)].at(-1) === target
    if (isLastOfLine) return packageInput.current?.focus()
    focusNextField(event.currentTarget, target)
  }
}
