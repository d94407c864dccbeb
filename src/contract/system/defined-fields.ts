import { array, boolean, enums, type Infer, integer, nullable, object, optional, size, string, type } from 'superstruct'
import { type DataClass, dataClasses, maxAliases, maxFieldOptions } from '#domain/platform/defined-field.ts'
import { inputTypes } from '#domain/shared/validators.ts'
import { Count, shortText, WholeNumber } from '../shapes/primitives.ts'
import { expectedVersion, listQuery } from '../shapes/staff-call.ts'
import { platformResource, Removal } from './platform-resource.ts'

const Class = enums(Object.keys(dataClasses) as DataClass[]) // the keys of a constant

/** A field about subjects, which jobs of all studios can ask for and which imports recognize. */
export const DefinedField = type({
  id: integer(),
  name: string(),
  label: string(),
  inputType: enums(inputTypes),
  hasOptions: boolean(),
  options: array(type({ id: integer(), value: string() })),
  /** Other headings that lists have for it. */
  aliases: array(string()),
  dataClass: Class,
  retentionMonths: nullable(Count),
  position: Count,
  /** How many jobs ask for it, and how many studios have such jobs. */
  jobCount: Count,
  studioCount: Count,
  /** How many subjects have a value of it, counted up to `maxCountedSubjects`. */
  subjectCount: Count,
  isArchived: boolean(),
  version: Count,
})
export type DefinedField = Infer<typeof DefinedField>

const draft = {
  name: shortText(60),
  label: shortText(),
  inputType: enums(inputTypes),
  hasOptions: boolean(),
  options: size(array(object({ id: Count, value: shortText() })), 0, maxFieldOptions),
  aliases: size(array(shortText(60)), 0, maxAliases),
  dataClass: Class,
  retentionMonths: nullable(WholeNumber),
  position: WholeNumber,
}

const definedFields = platformResource({
  base: '/api/admin/defined-fields',
  query: object({ ...listQuery, type: optional(enums(['current', 'archived'])) }),
  item: DefinedField,
  draft: object(draft),
  replacement: object({ ...draft, ...expectedVersion, isArchived: optional(boolean()) }),
})
export const {
  get: getDefinedField,
  list: listDefinedFields,
  post: postDefinedField,
  put: putDefinedField,
} = definedFields
/** Deletes a field, or archives it if a job asks for it or a subject has a value of it. */
export const deleteDefinedField = { ...definedFields.remove, answer: Removal }
