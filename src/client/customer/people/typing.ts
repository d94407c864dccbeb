import { is, literal, record, string, type } from 'superstruct'
import type { DataField } from '../../../domain/cart.ts'
import { answerTo, type CustomField, fieldErrors } from '../../../domain/custom-fields.ts'
import { type FieldErrors, required, validate } from '../../../domain/validators.ts'

/** Somebody while they are typed in: the name, and what was answered, by the field's name. */
export type Typing = { firstName: string; lastName: string; answers: Record<string, string> }

const Draft = type({ v: literal(1), firstName: string(), lastName: string(), answers: record(string(), string()) })

export const nothingTyped: Typing = { firstName: '', lastName: '', answers: {} }

/** Answers as a form holds them. */
export const answersIn = (fields: readonly { name: string; value: string }[]): Typing['answers'] =>
  Object.fromEntries(fields.map(({ name, value }) => [name, value]))

/** What is kept of somebody half typed. */
export const draftOf = (typing: Typing) => ({ v: 1 as const, ...typing })

/** What was kept, or what there is to begin with; something else altogether (an older build's) counts for nothing. */
export const typingFrom = (kept: unknown, first: Typing): Typing => {
  if (!is(kept, Draft)) return first
  const { firstName, lastName, answers } = kept
  return { firstName, lastName, answers }
}

const names = { firstName: [required<Typing>()], lastName: [required<Typing>()] }

/** What is wrong with a name and answers, by the control's name: `answers.<name>` for a field of the job's. */
export const typingErrors = (
  typing: Typing,
  { fields, named }: { fields: readonly CustomField[]; named: boolean },
): FieldErrors => {
  const given = Object.entries(typing.answers).map(([name, value]) => ({ name, value }))
  const wrong = Object.entries(fieldErrors(fields, given))
  const answers = Object.fromEntries(wrong.map(([name, messages]) => [controlName(name), messages]))
  return named ? { ...validate(trimmed(typing), names), ...answers } : answers
}

export const controlName = (field: string): string => `answers.${field}`

export const trimmed = (typing: Typing): Typing => ({
  ...typing,
  firstName: typing.firstName.trim(),
  lastName: typing.lastName.trim(),
})

/** Every answer, the empty ones too: one that was taken back has to be told. Where the questions are not known nothing changes. */
export const dataFieldsOf = (
  { answers }: Typing,
  fields: readonly CustomField[] | undefined,
  before: DataField[],
): DataField[] => fields?.map((field) => ({ subjectId: null, ...answerTo(field, answers[field.name] ?? '') })) ?? before
