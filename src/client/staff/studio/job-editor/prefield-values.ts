import type { JobSettings } from '#contract/studio/job-settings.ts'
import { type Rules, requiredList, validationMessages } from '#domain/shared/validators.ts'

/** A prefield as its form holds it: options are lines of text. `fieldId` is 0 until it is saved. */
export type PrefieldValues = {
  fieldId: number
  name: string
  label: string
  inputType: 'text' | 'textarea' | 'alphanumeric'
  required: boolean
  hasOptions: boolean
  options: string
  templateId: number | null
}

export type PrefieldsFormValues = { fields: PrefieldValues[] }

type SavedField = JobSettings['prefields'][number]

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

const prefieldValuesOf = ({ id, options, ...field }: SavedField): PrefieldValues => ({
  ...field,
  fieldId: id,
  options: options.map(({ value }) => value).join('\n'),
})

export const valuesOf = ({ prefields }: JobSettings): PrefieldsFormValues => ({
  fields: prefields.map(prefieldValuesOf),
})

export const blankPrefield = (): PrefieldValues => ({
  fieldId: 0,
  name: '',
  label: '',
  inputType: 'text',
  required: false,
  hasOptions: false,
  options: '',
  templateId: null,
})

/** Creates a field from one of the platform's templates. */
export const prefieldFromTemplate = (template: SavedField): PrefieldValues => ({
  ...prefieldValuesOf(template),
  fieldId: 0,
})

/** Request body of the prefields. An option with the text of a saved one keeps its id. */
export const prefieldsBody =
  ({ prefields, templates }: JobSettings) =>
  ({ fields }: PrefieldsFormValues) => ({
    fields: fields.map(({ fieldId, options, ...field }) => {
      const before = prefields.find(({ id }) => id === fieldId) ?? templates.find(({ id }) => id === field.templateId)
      const idOf = (value: string) => before?.options.find((one) => one.value === value)?.id ?? 0
      return {
        ...field,
        ...(fieldId > 0 && { id: fieldId }),
        options: field.hasOptions ? linesOf(options).map((value) => ({ id: idOf(value), value })) : [],
      }
    }),
  })

const fold = (name: string): string => name.trim().toLowerCase()

const nameError = (name: string, fields: readonly PrefieldValues[]): string | null => {
  if (name.trim() === '') return validationMessages.required
  return fields.filter((other) => fold(other.name) === fold(name)).length > 1 ? 'Two fields have this name' : null
}

const checkOptions = requiredList()

const optionsError = ({ hasOptions, options }: PrefieldValues): string | null => {
  const lines = linesOf(options).map(fold)
  if (!hasOptions) return null
  const missing = checkOptions(lines, undefined)
  if (missing) return missing
  return new Set(lines).size < lines.length ? 'Two options are the same' : null
}

const maxFields = 50

/** Validation rules, one set per possible field position. */
export const prefieldRules: Rules<PrefieldsFormValues> = Object.fromEntries(
  Array.from({ length: maxFields }, (_, index) => index).flatMap((index) => {
    const about =
      (check: (field: PrefieldValues, fields: PrefieldValues[]) => string | null) =>
      (_: unknown, { fields }: PrefieldsFormValues) => {
        const field = fields[index]
        return field ? check(field, fields) : null
      }
    return [
      [`fields.${index}.name`, about(({ name }, fields) => nameError(name, fields))],
      [`fields.${index}.options`, about(optionsError)],
    ]
  }),
)
