import { type KeyboardEvent, type RefObject, useMemo } from 'react'
import { useShortcuts } from '#client/staff/kit/screen/use-shortcuts.ts'

export type TextControl = HTMLInputElement | HTMLTextAreaElement

/** The two fields to which the keys lead back: whom the form is for, and the next package. */
export type EntryFieldRefs = {
  readonly subjectInput: RefObject<TextControl | null>
  readonly packageInput: RefObject<TextControl | null>
}

const stops = 'input:not([type="hidden"]):not(:disabled), select:not(:disabled), textarea:not(:disabled)'

/** Enter goes from field to field, past what is chosen already, so that nobody reaches for the mouse. */
const focusNextField = (form: HTMLFormElement, from: Element) => {
  const fields = [...form.querySelectorAll<HTMLElement>(stops)].filter(
    (one) => !(one instanceof HTMLInputElement && one.type === 'radio' && !one.checked),
  )
  const place = fields.indexOf(from as HTMLElement) // one of them, or none
  fields[place + 1]?.focus()
}

/** The form's shortcuts, and what it does with Enter: to the next field, back to the next package, or to order. */
export const useEntryShortcuts = ({ subjectInput: who, packageInput: which }: EntryFieldRefs, order: () => void) => {
  const keys = useMemo(
    () => [
      { key: 'n', description: 'Whom the form is for', run: () => who.current?.focus() },
      { key: 'p', description: 'Key in a package', run: () => which.current?.focus() },
      {
        key: 'm',
        description: 'What was handed over',
        run: () => document.querySelector<HTMLElement>('[data-received]')?.focus(),
      },
    ],
    [who, which],
  )
  useShortcuts(keys)
  return (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key !== 'Enter' || event.defaultPrevented) return
    // What opens over the form has keys of its own.
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
    if (isLastOfLine) return which.current?.focus()
    focusNextField(event.currentTarget, target)
  }
}
