import { create, type Failure, StructError } from 'superstruct'
import type { Shape } from '#contract/shapes/call.ts'
import { validationMessages } from '#domain/shared/validators.ts'
import { type Problem, problem } from './problem.ts'

/** More fields than anyone corrects at once. */
const mostFields = 20

const sentenceOf = (failure: Failure): string => {
  if (failure.type === 'never') return 'is not known here'
  if (failure.value === undefined || failure.value === null || failure.value === '') return validationMessages.required
  if (failure.refinement === 'size') return 'is too short or too long'
  return 'is not valid'
}

const fieldsOf = (error: StructError): Record<string, string[]> => {
  const fields = new Map<string, Set<string>>()
  for (const failure of error.failures()) {
    const path = failure.path.join('.') || 'content'
    fields.set(path, (fields.get(path) ?? new Set()).add(sentenceOf(failure)))
    if (fields.size === mostFields) break
  }
  return Object.fromEntries([...fields].map(([path, sentences]) => [path, [...sentences]]))
}

/** Deeper than any call of ours; without a limit, a body of brackets would overflow the stack. */
const mostDepth = 30

/** PostgreSQL stores neither NUL nor half a surrogate pair; caught here it is a bad request, there it would be a server error. */
const isStorable = (value: unknown, depth = 0): boolean => {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  if (depth === mostDepth) return false
  if (Array.isArray(value)) return value.every((one) => isStorable(one, depth + 1))
  return Object.entries(value).every(([name, content]) => isFieldName(name) && isStorable(content, depth + 1))
}

/** A field named like a method of every object (`toString`) would replace it, and break whatever turns the object into text. */
const isFieldName = (name: string): boolean => isStorable(name) && !Object.hasOwn(Object.prototype, name)

/** Validates one part of a request against its struct: the value, or a bad request that names each invalid field. */
export const parseRequestPart = <Value>(
  given: unknown,
  shape: Shape<Value>,
): { value: Value } | Problem<'bad-request'> => {
  if (!isStorable(given)) return problem('bad-request', 'Some of this cannot be kept')
  try {
    return { value: create(given ?? {}, shape) }
  } catch (error) {
    if (!(error instanceof StructError)) throw error
    return problem('bad-request', undefined, { fields: fieldsOf(error) })
  }
}
