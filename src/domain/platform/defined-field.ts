import { headingKey, maxFieldNameLength } from '../imports/import-columns.ts'
import { type InputType, inputTypes, oneOf, type Rules, required } from '../shared/validators.ts'
import { wholeNumber } from '../studio/rates.ts'
import { catalogueMessages, maxPosition } from './shipping-option.ts'

/** How personal the values of a field are. */
export const dataClasses = {
  ordinary: 'Ordinary',
  contact: 'Contact data',
  sensitive: 'Sensitive: imports leave it out',
} as const
export type DataClass = keyof typeof dataClasses

/** A field about subjects, which jobs of all studios can ask for and which imports recognize. */
export type DefinedFieldDraft = {
  name: string
  /** What parents read. */
  label: string
  inputType: InputType
  hasOptions: boolean
  /** The id of a new option is 0. */
  options: readonly { id: number; value: string }[]
  /** Other headings that lists have for it. */
  aliases: readonly string[]
  dataClass: DataClass
  /** How long its values are stored after a job’s event; null for as long as the subject. */
  retentionMonths: number | null
  position: number
}

/** Subjects with a field are counted up to this number, so that a long list is not slow. */
export const maxCountedSubjects = 10_000

export const maxFieldOptions = 200
export const maxAliases = 50

const maxRetentionMonths = 240

export const definedFieldMessages = {
  name: `A name has at most ${maxFieldNameLength} characters`,
  nameTaken: 'Another field has this name',
  retention: `Enter a whole number of months from 1 to ${maxRetentionMonths}`,
  noOptions: 'Enter at least one option',
  sameOptions: 'Two options are the same',
  aliases: `Enter up to ${maxAliases} headings with letters or digits`,
  sameAliases: 'Two headings are the same',
} as const

const hasDuplicates = (texts: readonly string[]): boolean => new Set(texts).size < texts.length

const optionsError = ({ hasOptions, options }: DefinedFieldDraft): string | null => {
  if (!hasOptions) return null
  const texts = options.map(({ value }) => value.trim().toLowerCase())
  if (texts.length === 0 || texts.includes('')) return definedFieldMessages.noOptions
  return hasDuplicates(texts) ? definedFieldMessages.sameOptions : null
}

const aliasesError = ({ aliases }: DefinedFieldDraft): string | null => {
  const keys = aliases.map(headingKey)
  if (keys.length > maxAliases || keys.includes('')) return definedFieldMessages.aliases
  return hasDuplicates(keys) ? definedFieldMessages.sameAliases : null
}

export const definedFieldRules: Rules<DefinedFieldDraft> = {
  name: [required(), (value) => (String(value).trim().length > maxFieldNameLength ? definedFieldMessages.name : null)],
  label: required(),
  inputType: oneOf(inputTypes),
  options: (_, draft) => optionsError(draft),
  aliases: (_, draft) => aliasesError(draft),
  dataClass: oneOf(Object.keys(dataClasses)),
  retentionMonths: (value, draft) =>
    value === null
      ? null
      : wholeNumber<DefinedFieldDraft>(1, maxRetentionMonths, definedFieldMessages.retention)(value, draft),
  position: wholeNumber(0, maxPosition, catalogueMessages.position),
}

/** The options with an id for each, so that stored answers keep theirs. */
export const numberedOptions = ({ hasOptions, options }: DefinedFieldDraft): { id: number; value: string }[] => {
  if (!hasOptions) return []
  let lastId = Math.max(0, ...options.map(({ id }) => id))
  return options.map(({ id, value }) => {
    if (id === 0) lastId += 1
    return { id: id === 0 ? lastId : id, value: value.trim() }
  })
}
