import { oneOf, sanitizeInput, validationMessages } from '../shared/validators.ts'
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
const duplicateMessage = 'This is listed twice'

const singleLine = (typed: string): string => sanitizeInput('text', typed).replace(/\s+/g, ' ').trim()

/** Normalises a name, a reference or a field's value: sanitized, on one line, trimmed. */
export const normaliseSubjectText = singleLine

/** Normalises a reference; null if empty. */
export const normaliseReference = (typed: string | null | undefined): string | null => singleLine(typed ?? '') || null

/** Normalises a code; null if empty. */
export const normaliseOptionalCode = (typed: string | null | undefined): string | null =>
  normaliseAccessCode(typed ?? '') || null

/** The errors of a subject, by the field's name: no name at all, or a malformed code. */
export const subjectErrors = ({ firstName, lastName, code }: SubjectDraft): Record<string, string[]> => {
  const normalisedCode = normaliseOptionalCode(code)
  return {
    ...(singleLine(firstName) === '' && singleLine(lastName) === '' && { firstName: [nameMissingMessage] }),
    ...(normalisedCode !== null && !isAccessCode(normalisedCode) && { code: [codeMalformedMessage] }),
  }
}

const duplicateIndexes = (values: readonly (string | null)[]): Set<number> => {
  const seen = new Set<string>()
  return new Set(
    values.flatMap((value, index) => {
      if (value === null) return []
      if (seen.has(value)) return [index]
      seen.add(value)
      return []
    }),
  )
}

/**
 * The errors of a list of subjects, by index and field (`3.code`): those of each subject, and duplicate references and
 * codes, reported at the later subject.
 */
export const subjectListErrors = (drafts: readonly SubjectDraft[]): Record<string, string[]> => {
  const references = duplicateIndexes(drafts.map(({ reference }) => normaliseReference(reference)))
  const codes = duplicateIndexes(drafts.map(({ code }) => normaliseOptionalCode(code)))
  return Object.fromEntries(
    drafts.flatMap((draft, index) =>
      Object.entries({
        ...subjectErrors(draft),
        ...(references.has(index) && { reference: [duplicateMessage] }),
        ...(codes.has(index) && { code: [duplicateMessage] }),
      }).map(([field, messages]) => [`${index}.${field}`, messages]),
    ),
  )
}

/** A subject's full name; typed to confirm the deletion of the subject's data. */
export const subjectFullName = ({ firstName, lastName }: Pick<SubjectDraft, 'firstName' | 'lastName'>): string =>
  `${firstName} ${lastName}`.trim()

/** The text to type to confirm that these subjects' data is deleted: the name of one, or the number of several. */
export const purgeConfirmation = (subjects: readonly Pick<SubjectDraft, 'firstName' | 'lastName'>[]): string => {
  const [only, ...others] = subjects
  return only && others.length === 0 ? subjectFullName(only) : String(subjects.length)
}

/** Whether the confirmation was typed; spacing and case do not matter. */
export const isPurgeConfirmed = (subjects: Parameters<typeof purgeConfirmation>[0], typed: string): boolean =>
  singleLine(typed).toLowerCase() === singleLine(purgeConfirmation(subjects)).toLowerCase()

/** A subject's field as stored: with the job's spelling of its name, and the id of the chosen option, if any. */
export type NormalisedField = {
  name: string
  value: string
  hasOptions: boolean
  templateId: number | null
  optionId: number | null
}

const findFieldByName = (fields: readonly CustomField[], name: string): CustomField | undefined =>
  fields.find((field) => field.name.toLowerCase() === name.toLowerCase())

/** Normalises a field typed by staff: fields of the job by their type, all others as text. */
export const normaliseField = (
  fields: readonly CustomField[],
  typed: { name: string; value: string },
): NormalisedField => {
  const jobField = findFieldByName(fields, singleLine(typed.name))
  if (!jobField)
    return {
      name: singleLine(typed.name),
      value: singleLine(typed.value),
      hasOptions: false,
      templateId: null,
      optionId: null,
    }
  const { name, value, templateId, optionId } = fieldAnswerOf(jobField, typed.value)
  return { name, value, hasOptions: jobField.hasOptions, templateId, optionId }
}

/** The error of a field: no name, or a value that is not one of its options; null if it is valid. */
export const subjectFieldError = (
  fields: readonly CustomField[],
  typed: { name: string; value: string },
): string | null => {
  const { name, value, hasOptions, optionId } = normaliseField(fields, typed)
  if (name === '') return validationMessages.required
  if (value === '' || !hasOptions || optionId !== null) return null
  return oneOf((findFieldByName(fields, name)?.options ?? []).map((option) => option.value))(value, null)
}

/** Normalises fields: the last of those with the same name, without empty ones. */
export const normaliseFields = (
  fields: readonly CustomField[],
  typed: readonly { name: string; value: string }[],
): NormalisedField[] => {
  const lastByName = new Map(typed.map((field) => normaliseField(fields, field)).map((field) => [field.name, field]))
  return [...lastByName.values()].filter(({ value }) => value !== '')
}

// Without 0 O 1 I L, which look alike on paper.
const codeAlphabet = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const generatedCodeLength = 8

/** Makes a job's or subject's code of eight characters from eight random 32-bit integers. Throws on fewer. */
export const accessCodeFrom = (randomNumbers: ArrayLike<number>): string => {
  if (randomNumbers.length < generatedCodeLength)
    throw new RangeError(`An access code takes ${generatedCodeLength} random numbers`)
  return Array.from(
    { length: generatedCodeLength },
    (_, index) => codeAlphabet[(randomNumbers[index] ?? 0) % codeAlphabet.length],
  ).join('')
}

/** Normalises a typed code for storage and comparison: upper case, without spaces and dashes. */
export const normaliseAccessCode = (typed: string): string => typed.toUpperCase().replace(/[\s\-–—]/g, '')

/** Whether a normalised code is one that staff may set: 4 to 12 letters and digits. */
export const isAccessCode = (code: string): boolean => /^[A-Z0-9]{4,12}$/.test(code)
