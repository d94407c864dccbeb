/** Form validation (section 5). A validator returns its message, or null if the value is valid. */
export type Validator<Model> = (value: unknown, model: Model) => string | null
export type Condition<Model> = (model: Model) => boolean
export type Rules<Model> = Readonly<Record<string, Validator<Model> | readonly Validator<Model>[]>>
/** Messages by the path of their field (`customer.email`); valid fields have no entry. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>

export const validationMessages = {
  required: 'This field is required',
  requiredList: 'Requires at least 1 item',
  email: 'This value is not a valid email address',
  phone: 'This value is not a valid phone number',
  matches: "This value doesn't match",
} as const

/** The form's own message if fields below it have errors. */
export const fixFieldsMessage = 'Please fix the fields marked below'

const always = (): boolean => true

/** Empty, blank and falsy values are missing, as are empty lists; `zero: 'allowed'` accepts the number 0. */
const isMissing = (value: unknown, zero: 'allowed' | 'missing'): boolean => {
  if (value === 0) return zero === 'missing'
  if (typeof value === 'string') return value.trim() === ''
  if (Array.isArray(value)) return value.length === 0
  return !value
}

type ZeroOption = { zero?: 'allowed' | 'missing' }

/** 'This field is required' for empty, blank or falsy values (section 5). */
export const required = <Model>({ zero = 'missing' }: ZeroOption = {}): Validator<Model> => {
  return (value) => (isMissing(value, zero) ? validationMessages.required : null)
}

/** `required`, if the condition on the model holds (section 5). */
export const requiredIf = <Model>(condition: Condition<Model>, option: ZeroOption = {}): Validator<Model> =>
  when(condition, required(option))

/**
 * 'Requires at least 1 item' for an empty or missing list if the condition holds; without a condition always (section
 * 5).
 */
export const requiredList = <Model>(condition: Condition<Model> = always): Validator<Model> =>
  when(condition, (value) => (Array.isArray(value) && value.length > 0 ? null : validationMessages.requiredList))

// The pattern of browsers for e-mail inputs, with at least one dot in the domain: mail to `ada@localhost` is never
// delivered.
const emailPattern =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i
const maxEmailLength = 254

/**
 * A string that looks like an e-mail address (section 5). Rejects an empty one: wrap with `when` for optional fields.
 */
export const email = <Model>(): Validator<Model> => {
  return (value) => {
    const isEmail = typeof value === 'string' && value.length <= maxEmailLength && emailPattern.test(value)
    return isEmail ? null : validationMessages.email
  }
}

// Digits 3 + 3 + 4 to 6 (section 9); parentheses come in pairs, separators are `-`, `.`, a space or none. A country
// code may precede them, followed by a separator: `+1 555 123 4567`, `1-555-123-4567`.
const phonePattern = /^(?:\+?|(?:\+\d{1,3}|1)[-. ])(?:\(\d{3}\)|\d{3})[-. ]?\d{3}[-. ]?\d{4,6}$/

/** A phone number (sections 5 and 9); an empty one is valid if optional, and 'This field is required' if required. */
export const phone = <Model>(need: 'optional' | 'required' = 'optional'): Validator<Model> => {
  return (value) => {
    if (isMissing(value, 'missing')) return need === 'required' ? validationMessages.required : null
    return typeof value === 'string' && phonePattern.test(value) ? null : validationMessages.phone
  }
}

/** The same value as the field at `path` (section 5). */
export const matches = <Model>(path: string): Validator<Model> => {
  return (value, model) => (Object.is(value, valueAt(model, path)) ? null : validationMessages.matches)
}

/** Parses a decimal number as people write it; NaN for any other text, such as '0x10', '1e3', 'Infinity' or ''. */
export const parseNumber = (text: string): number =>
  /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text.trim()) ? Number(text) : Number.NaN

/** A number, or the text of one in an input, of at least `min` (section 5). */
export const minimum = <Model>(min: number): Validator<Model> => {
  return (value) => {
    const number = typeof value === 'string' ? parseNumber(value) : value
    return typeof number === 'number' && number >= min && Number.isFinite(number)
      ? null
      : `This value must be at least ${min}`
  }
}

/** One of `list`; otherwise the given message or 'This value must be one of {list}' (section 5). */
export const oneOf = <Model>(list: readonly unknown[], message?: string): Validator<Model> => {
  return (value) => (list.includes(value) ? null : (message ?? `This value must be one of ${list.join(', ')}`))
}

/** Applies a validator only if the condition on the model holds (section 5). */
export const when = <Model>(condition: Condition<Model>, validator: Validator<Model>): Validator<Model> => {
  return (value, model) => (condition(model) ? validator(value, model) : null)
}

/**
 * All messages of all rules that fail, by path (`a.b` reaches into objects and lists); an empty record means valid
 * (section 5).
 */
export const validate = <Model>(model: Model, rules: Rules<Model>): Record<string, string[]> => {
  const errors: Record<string, string[]> = {}
  for (const [path, rule] of Object.entries(rules)) {
    const value = valueAt(model, path)
    const failures = [rule].flat().flatMap((validator) => validator(value, model) ?? [])
    const messages = [...new Set(failures)]
    if (messages.length > 0) errors[path] = messages
  }
  return errors
}

export const isValid = (errors: FieldErrors): boolean => Object.keys(errors).length === 0

/** The value at a dotted path of a model; undefined if there is none. */
export const valueAt = (model: unknown, path: string): unknown => {
  let current = model
  for (const key of path.split('.')) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined
    current = Reflect.get(current, key)
  }
  return current
}

/** Several errors of one field as one text, joined with commas (section 5); null if there are none. */
export const joinFieldErrors = (errors: readonly string[] | null | undefined): string | null =>
  errors && errors.length > 0 ? errors.join(', ') : null

/** Messages of a form, one per line (section 5); null, which clears them, if there are none. */
export const formMessages = (messages: string | readonly string[] | null | undefined): string | null => {
  const lines = [messages ?? []].flat().filter((line) => line.trim() !== '')
  return lines.length > 0 ? lines.join('\n') : null
}

export const inputTypes = ['text', 'textarea', 'alphanumeric'] as const
export type InputType = (typeof inputTypes)[number]

/**
 * Sanitizes a value while it is typed and on blur (section 5): `alphanumeric` keeps letters (of any script), digits and
 * white space; the other types lose only the tilde. Passwords are never sanitized.
 */
export const sanitizeInput = (type: InputType, value: string): string =>
  type === 'alphanumeric' ? value.replace(/[^\p{L}\p{M}\p{Nd}\s]/gu, '') : value.replaceAll('~', '')
