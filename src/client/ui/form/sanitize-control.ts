import { cleanInput, type InputType, inputTypes } from '#domain/shared/sanitize-input.ts'

export type TextLike = HTMLInputElement | HTMLTextAreaElement

/** Whether text of this type is cleaned as it is typed (section 5); the browser's own types are not. */
export const isCleaned = (type: string): type is InputType => inputTypes.some((cleaned) => cleaned === type)

/**
 * Cleans what stands in the control where it stands and says whether that changed anything. The caret stays behind the same
 * character as before: what was removed in front of it no longer counts.
 */
export const cleanInPlace = (type: InputType, control: TextLike): boolean => {
  const cleaned = cleanInput(type, control.value)
  if (cleaned === control.value) return false
  const caret = control.selectionStart ?? control.value.length
  const before = cleanInput(type, control.value.slice(0, caret)).length
  control.value = cleaned
  if (control.ownerDocument.activeElement === control) control.setSelectionRange(before, before)
  return true
}
