import { is, literal, record, string, type } from 'superstruct'
import type { DataField } from '#domain/cart/cart.ts'
import { brokenMaskMessage, isBrokenMask, type MaskedText, maskFieldAnswer, unmask } from '#domain/catalogue/mask.ts'
import { type FieldErrors, required, validate } from '#domain/shared/validators.ts'
import { type CustomField, fieldAnswerOf, fieldErrors } from '#domain/subjects/custom-fields.ts'

/** A subject being edited: the name, and the answers as shown, by field name. */
export type SubjectFormValues = { firstName: string; lastName: string; answers: Record<string, string> }

const Draft = type({ v: literal(1), firstName: string(), lastName: string(), answers: record(string(), string()) })

export const emptySubjectForm: SubjectFormValues = { firstName: '', lastName: '', answers: {} }

/** The form's answers, by field name. */
export const answersFromFields = (fields: readonly { name: string; value: string }[]): SubjectFormValues['answers'] =>
  Object.fromEntries(fields.map(({ name, value }) => [name, value]))

/** The known values as shown: email addresses and phone numbers are masked (section 5), except in select fields. */
export const maskAnswers = (known: SubjectFormValues, fields: readonly CustomField[]): SubjectFormValues => {
  const selectFieldNames = new Set(fields.filter(({ hasOptions }) => hasOptions).map(({ name }) => name))
  const maskEntry = ([name, value]: [string, string]) => [
    name,
    selectFieldNames.has(name) ? value : maskFieldAnswer(name, value),
  ]
  return { ...known, answers: Object.fromEntries(Object.entries(known.answers).map(maskEntry)) }
}

/** The actual values of the form: unedited masks are replaced by the known values. */
export const unmaskAnswers = (values: SubjectFormValues, known: SubjectFormValues): SubjectFormValues => {
  const unmaskEntry = ([name, shown]: [string, string]) => [name, unmask(shown, answerOf(known, name))]
  return { ...values, answers: Object.fromEntries(Object.entries(values.answers).map(unmaskEntry)) }
}

/** The draft of a partly completed form. */
export const toSubjectDraft = (values: SubjectFormValues) => ({ v: 1 as const, ...values })

/** Reads a draft, or returns the initial values; an unreadable draft (from an older build) is ignored. */
export const valuesFromDraft = (draft: unknown, initial: SubjectFormValues): SubjectFormValues => {
  if (!is(draft, Draft)) return initial
  const { firstName, lastName, answers } = draft
  return { firstName, lastName, answers }
}

const nameRules = { firstName: [required<SubjectFormValues>()], lastName: [required<SubjectFormValues>()] }

type ValidationContext = { fields: readonly CustomField[]; asksName: boolean; known: SubjectFormValues }

/** Validates name and answers, by control name: `answers.<name>` for the job's fields. */
export const subjectFormErrors = (
  values: SubjectFormValues,
  { fields, asksName, known }: ValidationContext,
): FieldErrors => {
  const givenAnswers = Object.entries(unmaskAnswers(values, known).answers).map(([name, value]) => ({ name, value }))
  const brokenFields = fields.filter(({ name }) => isBrokenMask(maskedAnswer(values, known, name)))
  const errors = [
    ...Object.entries(fieldErrors(fields, givenAnswers)),
    ...brokenFields.map(({ name }) => [name, [brokenMaskMessage]] as const),
  ]
  const answers = Object.fromEntries(errors.map(([name, messages]) => [answerControlName(name), messages]))
  return asksName ? { ...validate(trimNames(values), nameRules), ...answers } : answers
}

/** One answer as shown, and its known value. */
export const maskedAnswer = (values: SubjectFormValues, known: SubjectFormValues, name: string): MaskedText => ({
  shown: answerOf(values, name),
  original: answerOf(known, name),
})

export const answerControlName = (field: string): string => `answers.${field}`

export const trimNames = (values: SubjectFormValues): SubjectFormValues => ({
  ...values,
  firstName: values.firstName.trim(),
  lastName: values.lastName.trim(),
})

// A job's field may have any name, including that of an Object method.
const answerOf = ({ answers }: Pick<SubjectFormValues, 'answers'>, name: string): string =>
  Object.hasOwn(answers, name) ? (answers[name] ?? '') : ''

/**
 * Every answer, including empty ones: a cleared answer has to be sent. Without the field definitions nothing changes.
 */
export const toDataFields = (
  values: SubjectFormValues,
  fields: readonly CustomField[] | undefined,
  before: DataField[],
): DataField[] =>
  fields?.map((field) => ({ subjectId: null, ...fieldAnswerOf(field, answerOf(values, field.name)) })) ?? before
