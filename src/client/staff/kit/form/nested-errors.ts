import type { FieldValues, FieldErrors as FormErrors } from 'react-hook-form'
import { joinFieldErrors } from '#domain/shared/validators.ts'

/** Converts errors by dotted path to nested objects: the form library looks up `address.city` in `address`. */
export const nestedErrors = <Model extends FieldValues>(
  errors: Readonly<Record<string, readonly string[]>>,
): FormErrors<Model> => {
  const nested: Record<string, unknown> = {}
  for (const [path, messages] of Object.entries(errors)) {
    const parentKeys = path.split('.')
    const lastKey = parentKeys.pop() ?? path
    let parent = nested
    for (const key of parentKeys) {
      parent[key] ??= {}
      parent = parent[key] as Record<string, unknown> // created in the line above
    }
    parent[lastKey] = { type: 'rule', message: joinFieldErrors(messages) ?? '' }
  }
  return nested as FormErrors<Model>
}
