import { type KeyboardEvent, type RefObject, useMemo } from 'react'
import { useShortcuts } from '#client/staff/kit/screen/use-shortcuts.ts'

export type TextControl = HTMLInputElement | HTMLTextAreaElement

/** The inputs that receive the focus: the subject and the next package. */
export type EntryFieldRefs = {
  readonly subjectInput: RefObject<TextControl | null>
  readonly packageInput: RefObject<TextControl | null>
}

const stops = 'input:not([type="hidden"]):not(:disabled), select:not(:disabled), textarea:not(:disabled)'

/** Moves the focus from field to field and skips chosen options, so that no mouse is needed. */
const focusNextField = (form: HTMLFormElement, from: Element) => {
  const fields = [...form.querySelectorAll<HTMLElement>(stops)].filter(
    (field) => !(field instanceof HTMLInputElement && field.type === 'radio' && !field.checked),
  )
  const index = fields.indexOf(from as HTMLElement) // the chosen radio button, or undefined
  fields[index + 1]?.focus()
}

/** Keyboard shortcuts of the form. Enter moves to the next field, back to the packages, or orders. */
export const useEntryShortcuts = ({ subjectInput, packageInput }: EntryFieldRefs, order: () => void) => {
  const keys = useMemo(
    () => [
      { key: 'n', description: 'Whom the form is for', run: () => subjectInput.current?.focus() },
      { key: 'p', description: 'Key in a package', run: () => packageInput.current?.focus() },
      {
        key: 'm',
        description: 'What was handed over',
        run: () => document.querySelector<HTMLElement>('[data-received]')?.focus(),
      },
    ],
    [subjectInput, packageInput],
  )
  useShortcuts(keys)
  return (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key !== 'Enter' || event.defaultPrevented) return
    // A dialog above the form handles its own keys.
    if (event.target instanceof Node && !event.currentTarget.contains(event.target)) return
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault()
      return order()
    }
    const { target } = event
    if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return
    event.preventDefault()
    if (target.dataset.received !== undefined) return order()
    const line = target.closest('[data-line]')
    const isLastOfLine = line && [...line.querySelectorAll(stops)].at(-1) === target
    if (isLastOfLine) return packageInput.current?.focus()
    focusNextField(event.currentTarget, target)
  }
}
