import { is, literal, record, string, type } from 'superstruct'
import type { DataField } from '#domain/cart/cart.ts'
import { brokenMaskMessage, isBrokenMask, type MaskedText, maskFieldAnswer, unmask } from '#domain/catalogue/mask.ts'
import { type FieldErrors, required, validate } from '#domain/shared/validators.ts'
import { type CustomField, fieldAnswerOf, fieldErrors } from '#domain/subjects/custom-fields.ts'

/** Somebody while they are typed in: the name, and what was answered, by the field's name, as the form shows it. */
export type SubjectFormValues = { firstName: string; lastName: string; answers: Record<string, string> }

const Draft = type({ v: literal(1), firstName: string(), lastName: string(), answers: record(string(), string()) })

export const emptySubjectForm: SubjectFormValues = { firstName: '', lastName: '', answers: {} }

/** Answers as a form holds them. */
export const answersFromFields = (fields: readonly { name: string; value: string }[]): SubjectFormValues['answers'] =>
  Object.fromEntries(fields.map(({ name, value }) => [name, value]))

/** What a form shows of what was known before: e-mail addresses and phone numbers masked (section 5), but where one is chosen. */
export const maskAnswers = (known: SubjectFormValues, fields: readonly CustomField[]): SubjectFormValues => {
  const chosen = new Set(fields.filter(({ hasOptions }) => hasOptions).map(({ name }) => name))
  const shown = ([name, value]: [string, string]) => [name, chosen.has(name) ? value : maskFieldAnswer(name, value)]
  return { ...known, answers: Object.fromEntries(Object.entries(known.answers).map(shown)) }
}

/** What is meant by what the form shows: masks nobody touched are what was known before again. */
export const unmaskAnswers = (typing: SubjectFormValues, known: SubjectFormValues): SubjectFormValues => {
  const meant = ([name, shown]: [string, string]) => [name, unmask(shown, answerOf(known, name))]
  return { ...typing, answers: Object.fromEntries(Object.entries(typing.answers).map(meant)) }
}

/** What is kept of somebody half typed. */
export const toSubjectDraft = (typing: SubjectFormValues) => ({ v: 1 as const, ...typing })

/** What was kept, or what there is to begin with; something else altogether (an older build's) counts for nothing. */
export const valuesFromDraft = (kept: unknown, first: SubjectFormValues): SubjectFormValues => {
  if (!is(kept, Draft)) return first
  const { firstName, lastName, answers } = kept
  return { firstName, lastName, answers }
}

const names = { firstName: [required<SubjectFormValues>()], lastName: [required<SubjectFormValues>()] }

type Asked = { fields: readonly CustomField[]; named: boolean; known: SubjectFormValues }

/** What is wrong with a name and answers, by the control's name: `answers.<name>` for a field of the job's. */
export const subjectFormErrors = (typing: SubjectFormValues, { fields, named, known }: Asked): FieldErrors => {
  const given = Object.entries(unmaskAnswers(typing, known).answers).map(([name, value]) => ({ name, value }))
  const broken = fields.filter(({ name }) => isBrokenMask(maskedAnswer(typing, known, name)))
  const wrong = [
    ...Object.entries(fieldErrors(fields, given)),
    ...broken.map(({ name }) => [name, [brokenMaskMessage]] as const),
  ]
  const answers = Object.fromEntries(wrong.map(([name, messages]) => [answerControlName(name), messages]))
  return named ? { ...validate(trimNames(typing), names), ...answers } : answers
}

/** One answer as the form shows it, and as it was known before. */
export const maskedAnswer = (typing: SubjectFormValues, known: SubjectFormValues, name: string): MaskedText => ({
  shown: answerOf(typing, name),
  original: answerOf(known, name),
})

export const answerControlName = (field: string): string => `answers.${field}`

export const trimNames = (typing: SubjectFormValues): SubjectFormValues => ({
  ...typing,
  firstName: typing.firstName.trim(),
  lastName: typing.lastName.trim(),
})

// A field of the job's may have any name, that of a method of every object too.
const answerOf = ({ answers }: Pick<SubjectFormValues, 'answers'>, name: string): string =>
  Object.hasOwn(answers, name) ? (answers[name] ?? '') : ''

/** Every answer, the empty ones too: one that was taken back has to be told. Where the questions are not known nothing changes. */
export const toDataFields = (
  typing: SubjectFormValues,
  fields: readonly CustomField[] | undefined,
  before: DataField[],
): DataField[] =>
  fields?.map((field) => ({ subjectId: null, ...fieldAnswerOf(field, answerOf(typing, field.name)) })) ?? before
