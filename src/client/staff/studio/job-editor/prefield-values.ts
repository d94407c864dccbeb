import type { JobSettings } from '#contract/studio/job-settings.ts'
import { type Rules, requiredList, validationMessages } from '#domain/shared/validators.ts'

/** A field as its form has it: what it may say stands in lines. `fieldId` is 0 for one that is not saved yet. */
export type AskedField = {
  fieldId: number
  name: string
  label: string
  inputType: 'text' | 'textarea' | 'alphanumeric'
  required: boolean
  hasOptions: boolean
  options: string
  templateId: number | null
}

export type Prefields = { fields: AskedField[] }

type SavedField = JobSettings['prefields'][number]

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

const askedOf = ({ id, options, ...field }: SavedField): AskedField => ({
  ...field,
  fieldId: id,
  options: options.map(({ value }) => value).join('\n'),
})

export const valuesOf = ({ prefields }: JobSettings): Prefields => ({ fields: prefields.map(askedOf) })

export const blankField = (): AskedField => ({
  fieldId: 0,
  name: '',
  label: '',
  inputType: 'text',
  required: false,
  hasOptions: false,
  options: '',
  templateId: null,
})

/** A new field like one of the platform's. */
export const fieldFrom = (template: SavedField): AskedField => ({ ...askedOf(template), fieldId: 0 })

/** What is saved of the fields. A choice that says what a saved one says is that one. */
export const bodyOf =
  ({ prefields, templates }: JobSettings) =>
  ({ fields }: Prefields) => ({
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

const nameError = (name: string, fields: readonly AskedField[]): string | null => {
  if (name.trim() === '') return validationMessages.required
  return fields.filter((other) => fold(other.name) === fold(name)).length > 1 ? 'Two fields have this name' : null
}

const checkOptions = requiredList()

const optionsError = ({ hasOptions, options }: AskedField): string | null => {
  const lines = linesOf(options).map(fold)
  if (!hasOptions) return null
  const missing = checkOptions(lines, undefined)
  if (missing) return missing
  return new Set(lines).size < lines.length ? 'Two options are the same' : null
}

const mostFields = 50

/** What must hold of each field; one rule for each place a field can stand at. */
export const rulesFor: Rules<Prefields> = Object.fromEntries(
  Array.from({ length: mostFields }, (_, index) => index).flatMap((index) => {
    const about =
      (check: (field: AskedField, fields: AskedField[]) => string | null) =>
      (_: unknown, { fields }: Prefields) => {
        const field = fields[index]
        return field ? check(field, fields) : null
      }
    return [
      [`fields.${index}.name`, about(({ name }, fields) => nameError(name, fields))],
      [`fields.${index}.options`, about(optionsError)],
    ]
  }),
)
