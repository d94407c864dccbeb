import type { JobSettings } from '#contract/studio/job-settings.ts'
import { itemRules } from '#domain/shared/derived-rules.ts'
import { type Rules, requiredList, validationMessages } from '#domain/shared/validators.ts'

/** Form values of a prefield. Options are lines of text; `fieldId` is 0 until the prefield is saved. */
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

/** The form values of the saved prefields. */
export const prefieldsFormValues = ({ prefields }: JobSettings): PrefieldsFormValues => ({
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
      const savedField =
        prefields.find(({ id }) => id === fieldId) ?? templates.find(({ id }) => id === field.templateId)
      const optionIdOf = (value: string) => savedField?.options.find((option) => option.value === value)?.id ?? 0
      return {
        ...field,
        ...(fieldId > 0 && { id: fieldId }),
        options: field.hasOptions ? linesOf(options).map((value) => ({ id: optionIdOf(value), value })) : [],
      }
    }),
  })

const normalizeName = (name: string): string => name.trim().toLowerCase()

const nameError = (name: string, fields: readonly PrefieldValues[]): string | null => {
  if (name.trim() === '') return validationMessages.required
  const isSameName = (field: PrefieldValues) => normalizeName(field.name) === normalizeName(name)
  return fields.filter(isSameName).length > 1 ? 'Two fields have this name' : null
}

const checkOptions = requiredList()

const optionsError = ({ hasOptions, options }: PrefieldValues): string | null => {
  const lines = linesOf(options).map(normalizeName)
  if (!hasOptions) return null
  const missingOptionsError = checkOptions(lines, undefined)
  if (missingOptionsError) return missingOptionsError
  return new Set(lines).size < lines.length ? 'Two options are the same' : null
}

/** The validation rules of the prefields. */
export const prefieldRules: Rules<PrefieldsFormValues> = itemRules(
  { name: 'fields', maxItems: 50, read: ({ fields }: PrefieldsFormValues) => fields },
  { name: ({ name }, fields) => nameError(name, fields), options: optionsError },
)
