import { sanitizeInput } from '../shared/sanitize-input.ts'
import { oneOf, validationMessages } from '../shared/validators.ts'
import { isAccessCode, normaliseAccessCode } from './access-code.ts'
import { type CustomField, fieldAnswerOf } from './custom-fields.ts'

/** A person as staff write them down, before they are looked at. */
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

/** A name, a reference or a field's value as it is kept: cleaned, in one line, without blanks around it. */
export const normaliseSubjectText = line

/** A reference as it is kept; null for none. */
export const normaliseReference = (written: string | null | undefined): string | null => line(written ?? '') || null

/** A code as it is kept and compared; null for none. */
export const normaliseOptionalCode = (written: string | null | undefined): string | null =>
  normaliseAccessCode(written ?? '') || null

/** What is wrong with a person, by the field's name: without any name, or with a code that is none. */
export const subjectErrors = ({ firstName, lastName, code }: SubjectDraft): Record<string, string[]> => {
  const kept = normaliseOptionalCode(code)
  return {
    ...(line(firstName) === '' && line(lastName) === '' && { firstName: [nameMissingMessage] }),
    ...(kept !== null && !isAccessCode(kept) && { code: [codeMalformedMessage] }),
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
 * What is wrong with a list of people, by place and field (`3.code`): each by itself, and references and codes that two of them have,
 * told at the later one.
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

/** A person's whole name, as it is typed to delete their data. */
export const subjectFullName = ({ firstName, lastName }: Pick<SubjectDraft, 'firstName' | 'lastName'>): string =>
  `${firstName} ${lastName}`.trim()

/** What has to be typed to delete the data of these people: the name of one, or how many they are. */
export const purgeConfirmation = (people: readonly Pick<SubjectDraft, 'firstName' | 'lastName'>[]): string => {
  const [only, ...others] = people
  return only && others.length === 0 ? subjectFullName(only) : String(people.length)
}

/** Whether it was typed, however it was spaced or capitalised. */
export const isPurgeConfirmed = (people: Parameters<typeof purgeConfirmation>[0], typed: string): boolean =>
  line(typed).toLowerCase() === line(purgeConfirmation(people)).toLowerCase()

/** A field of a person as it is kept: by the job's own spelling of its name, with the option it picks where there are options. */
export type NormalisedField = {
  name: string
  value: string
  hasOptions: boolean
  templateId: number | null
  optionId: number | null
}

const namedAlike = (known: readonly CustomField[], name: string): CustomField | undefined =>
  known.find((field) => field.name.toLowerCase() === name.toLowerCase())

/** A field as staff wrote it down, as it is kept; what the job asks is read by its type, all else as text. */
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

/** What is wrong with a field: it has no name, or a value that is none of its options; null where nothing is. */
export const subjectFieldError = (
  known: readonly CustomField[],
  written: { name: string; value: string },
): string | null => {
  const { name, value, hasOptions, optionId } = normaliseField(known, written)
  if (name === '') return validationMessages.required
  if (value === '' || !hasOptions || optionId !== null) return null
  return oneOf((namedAlike(known, name)?.options ?? []).map((option) => option.value))(value, null)
}

/** Fields as they are kept: of two with one name the later, and none without a value. */
export const normaliseFields = (
  known: readonly CustomField[],
  written: readonly { name: string; value: string }[],
): NormalisedField[] => {
  const last = new Map(written.map((one) => normaliseField(known, one)).map((field) => [field.name, field]))
  return [...last.values()].filter(({ value }) => value !== '')
}
