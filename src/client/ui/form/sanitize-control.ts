import { type InputType, inputTypes, sanitizeInput } from '#domain/shared/sanitize-input.ts'

export type TextControl = HTMLInputElement | HTMLTextAreaElement

/** Whether text of this type is sanitized while typing (section 5); native types are not. */
export const isSanitizedType = (type: string): type is InputType => inputTypes.some((cleaned) => cleaned === type)

/** Sanitizes a control's value in place and returns whether it changed. The caret stays behind the same character. */
export const sanitizeControl = (type: InputType, control: TextControl): boolean => {
  const cleaned = sanitizeInput(type, control.value)
  if (cleaned === control.value) return false
  const caret = control.selectionStart ?? control.value.length
  const before = sanitizeInput(type, control.value.slice(0, caret)).length
  control.value = cleaned
  if (control.ownerDocument.activeElement === control) control.setSelectionRange(before, before)
  return true
}
