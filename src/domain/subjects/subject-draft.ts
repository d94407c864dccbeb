import { sanitizeInput } from '../shared/sanitize-input.ts'
import { oneOf, validationMessages } from '../shared/validators.ts'
import { isAccessCode, normaliseAccessCode } from './access-code.ts'
import { type CustomField, fieldAnswerOf } from './custom-fields.ts'

/** A subject as staff typed it, before validation. */
export type SubjectDraft = {
  firstName: string
  lastName: string
  reference?: string | null | undefined
  code?: string | null | undefined
}

export const nameMissingMessage = 'Type a first or a last name'
export const codeMalformedMessage = 'A code has 4 to 12 letters and digits'
const twice = 'This is there twice'

const line = (written: string): string => sanitizeInput('text', written).replace(/\s+/g, ' ').trim()

/** Normalises a name, a reference or a field's value: sanitized, on one line, trimmed. */
export const normaliseSubjectText = line

/** Normalises a reference; null if empty. */
export const normaliseReference = (written: string | null | undefined): string | null => line(written ?? '') || null

/** Normalises a code; null if empty. */
export const normaliseOptionalCode = (written: string | null | undefined): string | null =>
  normaliseAccessCode(written ?? '') || null

/** The errors of a subject, by the field's name: no name at all, or a malformed code. */
export const subjectErrors = ({ firstName, lastName, code }: SubjectDraft): Record<string, string[]> => {
  const normalisedCode = normaliseOptionalCode(code)
  return {
    ...(line(firstName) === '' && line(lastName) === '' && { firstName: [nameMissingMessage] }),
    ...(normalisedCode !== null && !isAccessCode(normalisedCode) && { code: [codeMalformedMessage] }),
  }
}

const repeated = (values: readonly (string | null)[]): Set<number> => {
  const first = new Set<string>()
  return new Set(
    values.flatMap((value, index) => {
      if (value === null) return []
      if (first.has(value)) return [index]
      first.add(value)
      return []
    }),
  )
}

/**
 * The errors of a list of subjects, by index and field (`3.code`): those of each subject, and duplicate references and
 * codes, reported at the later subject.
 */
export const subjectListErrors = (drafts: readonly SubjectDraft[]): Record<string, string[]> => {
  const references = repeated(drafts.map(({ reference }) => normaliseReference(reference)))
  const codes = repeated(drafts.map(({ code }) => normaliseOptionalCode(code)))
  return Object.fromEntries(
    drafts.flatMap((draft, index) =>
      Object.entries({
        ...subjectErrors(draft),
        ...(references.has(index) && { reference: [twice] }),
        ...(codes.has(index) && { code: [twice] }),
      }).map(([field, messages]) => [`${index}.${field}`, messages]),
    ),
  )
}

/** A subject's full name; typed to confirm the deletion of the subject's data. */
export const subjectFullName = ({ firstName, lastName }: Pick<SubjectDraft, 'firstName' | 'lastName'>): string =>
  `${firstName} ${lastName}`.trim()

/** The text to type to confirm that these subjects' data is deleted: the name of one, or the number of several. */
export const purgeConfirmation = (people: readonly Pick<SubjectDraft, 'firstName' | 'lastName'>[]): string => {
  const [only, ...others] = people
  return only && others.length === 0 ? subjectFullName(only) : String(people.length)
}

/** Whether the confirmation was typed; spacing and case do not matter. */
export const isPurgeConfirmed = (people: Parameters<typeof purgeConfirmation>[0], typed: string): boolean =>
  line(typed).toLowerCase() === line(purgeConfirmation(people)).toLowerCase()

/** A subject's field as stored: with the job's spelling of its name, and the id of the chosen option, if any. */
export type NormalisedField = {
  name: string
  value: string
  hasOptions: boolean
  templateId: number | null
  optionId: number | null
}

const namedAlike = (known: readonly CustomField[], name: string): CustomField | undefined =>
  known.find((field) => field.name.toLowerCase() === name.toLowerCase())

/** Normalises a field typed by staff: fields of the job by their type, all others as text. */
export const normaliseField = (
  known: readonly CustomField[],
  written: { name: string; value: string },
): NormalisedField => {
  const field = namedAlike(known, line(written.name))
  if (!field)
    return { name: line(written.name), value: line(written.value), hasOptions: false, templateId: null, optionId: null }
  const { name, value, templateId, optionId } = fieldAnswerOf(field, written.value)
  return { name, value, hasOptions: field.hasOptions, templateId, optionId }
}

/** The error of a field: no name, or a value that is not one of its options; null if it is valid. */
export const subjectFieldError = (
  known: readonly CustomField[],
  written: { name: string; value: string },
): string | null => {
  const { name, value, hasOptions, optionId } = normaliseField(known, written)
  if (name === '') return validationMessages.required
  if (value === '' || !hasOptions || optionId !== null) return null
  return oneOf((namedAlike(known, name)?.options ?? []).map((option) => option.value))(value, null)
}

/** Normalises fields: the last of those with the same name, without empty ones. */
export const normaliseFields = (
  known: readonly CustomField[],
  written: readonly { name: string; value: string }[],
): NormalisedField[] => {
  const last = new Map(written.map((one) => normaliseField(known, one)).map((field) => [field.name, field]))
  return [...last.values()].filter(({ value }) => value !== '')
}
