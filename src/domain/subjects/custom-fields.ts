import { oneOf, sanitizeInput, validationMessages } from '../shared/validators.ts'

/** A field that the job asks for before the picture day (section 3). `options`: the valid values, if `hasOptions`. */
export type CustomField = {
  id: number
  name: string
  label: string
  inputType: 'text' | 'textarea' | 'alphanumeric'
  required: boolean
  hasOptions: boolean
  options: { id: number; value: string }[]
  templateId: number | null
}

export type FieldAnswer = { name: string; value: string; templateId: number | null; optionId: number | null }

/** The answer to a field as it is sent: trimmed, sanitized by the field's type, with the id of the chosen option. */
export const fieldAnswerOf = (field: CustomField, typed: string): FieldAnswer => {
  const value = sanitizeInput(field.inputType, typed).trim()
  const optionId = field.options.find((option) => option.value === value)?.id ?? null
  return { name: field.name, value, templateId: field.templateId, optionId }
}

/** The errors of a subject's answers, by the field's name: a required one is missing, or one is not an option. */
export const fieldErrors = (
  fields: readonly CustomField[],
  answers: readonly Pick<FieldAnswer, 'name' | 'value'>[],
): Record<string, string[]> => {
  const valueByName = new Map(answers.map(({ name, value }) => [name, value.trim()]))
  return Object.fromEntries(
    fields.flatMap((field) => {
      const message = answerError(field, valueByName.get(field.name) ?? '')
      return message === null ? [] : [[field.name, [message]]]
    }),
  )
}

const answerError = ({ required, hasOptions, options }: CustomField, value: string): string | null => {
  if (value === '') return required ? validationMessages.required : null
  return hasOptions ? oneOf(options.map((option) => option.value))(value, null) : null
}

/** The fields whose answer is missing or invalid. */
export const fieldsWithoutAnswer = (
  fields: readonly CustomField[],
  answers: readonly Pick<FieldAnswer, 'name' | 'value'>[],
): CustomField[] => {
  const errors = fieldErrors(fields, answers)
  return fields.filter(({ name }) => Object.hasOwn(errors, name))
}

/**
 * The answers to the job's fields, the last one for each field; answers to other fields are dropped, so that customers
 * cannot change other data of a subject.
 */
export const answersToKnownFields = <Answer extends { name: string }>(
  fields: readonly CustomField[],
  answers: readonly Answer[],
): Answer[] => {
  const lastByName = new Map(answers.map((answer) => [answer.name, answer]))
  return [...lastByName.values()].filter(({ name }) => fields.some((field) => field.name === name))
}
