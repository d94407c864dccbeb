import type { FieldValues, FieldErrors as FormErrors } from 'react-hook-form'
import { joinFieldErrors } from '#domain/shared/validators.ts'

/** Converts errors by dotted path to nested objects: the form library looks up `address.city` in `address`. */
export const nestedErrors = <Model extends FieldValues>(
  errors: Readonly<Record<string, readonly string[]>>,
): FormErrors<Model> => {
  const root: Record<string, unknown> = {}
  for (const [path, messages] of Object.entries(errors)) {
    const keys = path.split('.')
    const last = keys.pop() ?? path
    let parent = root
    for (const key of keys) {
      parent[key] ??= {}
      parent = parent[key] as Record<string, unknown> // created in the line above
    }
    parent[last] = { type: 'rule', message: joinFieldErrors(messages) ?? '' }
  }
  return root as FormErrors<Model>
}
