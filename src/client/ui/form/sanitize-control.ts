import { type InputType, inputTypes, sanitizeInput } from '#domain/shared/sanitize-input.ts'

export type TextControl = HTMLInputElement | HTMLTextAreaElement

/** Whether text of this type is cleaned as it is typed (section 5); the browser's own types are not. */
export const isSanitizedType = (type: string): type is InputType => inputTypes.some((cleaned) => cleaned === type)

/**
 * Cleans what stands in the control where it stands and says whether that changed anything. The caret stays behind the same
 * character as before: what was removed in front of it no longer counts.
 */
export const sanitizeControl = (type: InputType, control: TextControl): boolean => {
  const cleaned = sanitizeInput(type, control.value)
  if (cleaned === control.value) return false
  const caret = control.selectionStart ?? control.value.length
  const before = sanitizeInput(type, control.value.slice(0, caret)).length
  control.value = cleaned
  if (control.ownerDocument.activeElement === control) control.setSelectionRange(before, before)
  return true
}
