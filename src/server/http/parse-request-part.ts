import { create, type Failure, StructError } from 'superstruct'
import type { Shape } from '#contract/shapes/call.ts'
import { validationMessages } from '#domain/shared/validators.ts'
import { type Problem, problem } from './problem.ts'

/** The limit on invalid fields in a response, above what a user corrects at once. */
const maxFields = 20

const messageOf = (failure: Failure): string => {
  if (failure.type === 'never') return 'is not known here'
  if (failure.value === undefined || failure.value === null || failure.value === '') return validationMessages.required
  if (failure.refinement === 'size') return 'is too short or too long'
  return 'is not valid'
}

const fieldsOf = (error: StructError): Record<string, string[]> => {
  const fields = new Map<string, Set<string>>()
  for (const failure of error.failures()) {
    const path = failure.path.join('.') || 'content'
    fields.set(path, (fields.get(path) ?? new Set()).add(messageOf(failure)))
    if (fields.size === maxFields) break
  }
  return Object.fromEntries([...fields].map(([path, messages]) => [path, [...messages]]))
}

/** The limit on nesting, above that of any call. Without it, a body of brackets would overflow the stack. */
const maxDepth = 30

/**
 * Whether PostgreSQL can store a value: a NUL or half a surrogate pair would be a server error there; here it is a bad
 * request.
 */
const isStorable = (value: unknown, depth = 0): boolean => {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  if (depth === maxDepth) return false
  if (Array.isArray(value)) return value.every((item) => isStorable(item, depth + 1))
  return Object.entries(value).every(([name, content]) => isFieldName(name) && isStorable(content, depth + 1))
}

/**
 * Whether a name is allowed for a field. A field named like a method of every object (`toString`) would replace the
 * method.
 */
const isFieldName = (name: string): boolean => isStorable(name) && !Object.hasOwn(Object.prototype, name)

/**
 * Validates one part of a request against its struct. Returns the value, or a bad request that lists each invalid
 * field.
 */
export const parseRequestPart = <Value>(
  input: unknown,
  shape: Shape<Value>,
): { value: Value } | Problem<'bad-request'> => {
  if (!isStorable(input)) return problem('bad-request', 'Some of this can’t be stored')
  try {
    return { value: create(input ?? {}, shape) }
  } catch (error) {
    if (!(error instanceof StructError)) throw error
    return problem('bad-request', undefined, { fields: fieldsOf(error) })
  }
}
