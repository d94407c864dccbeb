import { headingKey, standardFieldOf } from '../imports/import-columns.ts'

/** The columns of an index that come from a subject's data, in addition to the names. */
export const exportFields = ['studentId', 'grade', 'homeroom', 'period', 'teacher', 'track'] as const
export type ExportField = (typeof exportFields)[number]

/**
 * Where a column's value comes from: `reference` (the subject's student id), `group` (the names of its groups),
 * `field:…` (a custom field by name), or nothing.
 */
export type ExportFieldSource = string
export type ExportFieldSources = Record<ExportField, ExportFieldSource>

/** The data of a subject that an export may contain. */
export type ExportedSubject = {
  readonly firstName: string
  readonly lastName: string
  readonly reference: string | null
  readonly groups: readonly string[]
  readonly fields: readonly { readonly name: string; readonly value: string }[]
}

const fieldPrefix = 'field:'

export const fieldSource = (name: string): ExportFieldSource => `${fieldPrefix}${name}`

const standardFields: Partial<Record<ExportField, string>> = {
  studentId: 'reference',
  grade: 'Grade',
  homeroom: 'Homeroom',
  teacher: 'Teacher',
}

const isSourceOf = (field: ExportField, name: string): boolean => {
  const standard = standardFields[field]
  return standard === undefined ? headingKey(name) === field : standardFieldOf(name) === standard
}

/** Which data the subjects of a job have. */
type KnownData = { readonly fieldNames: readonly string[]; readonly hasReferences: boolean }

/** The likely source of each column, by the names of the custom fields that the subjects have. */
export const defaultFieldSources = ({ fieldNames, hasReferences }: KnownData): ExportFieldSources => {
  const sourceOf = (field: ExportField): ExportFieldSource => {
    const name = fieldNames.find((candidate) => isSourceOf(field, candidate))
    if (name !== undefined) return fieldSource(name)
    return field === 'homeroom' ? 'group' : ''
  }
  return {
    studentId: hasReferences ? 'reference' : sourceOf('studentId'),
    grade: sourceOf('grade'),
    homeroom: sourceOf('homeroom'),
    period: sourceOf('period'),
    teacher: sourceOf('teacher'),
    track: sourceOf('track'),
  }
}

/** The value of a custom field; empty if the subject has none of this name. */
export const customFieldValue = ({ fields }: ExportedSubject, name: string): string =>
  fields.find((field) => field.name === name)?.value.trim() ?? ''

const sourceValueOf = (subject: ExportedSubject, source: ExportFieldSource): string => {
  if (source === 'reference') return subject.reference?.trim() ?? ''
  if (source === 'group') return subject.groups.join(', ')
  return source.startsWith(fieldPrefix) ? customFieldValue(subject, source.slice(fieldPrefix.length)) : ''
}

/** The values of a subject for names of files and columns of an index. */
export type ExportValues = Record<ExportField | 'firstName' | 'lastName' | 'group', string>

export const exportValues = (subject: ExportedSubject, sources: ExportFieldSources): ExportValues => ({
  firstName: subject.firstName.trim(),
  lastName: subject.lastName.trim(),
  group: subject.groups.join(', '),
  studentId: sourceValueOf(subject, sources.studentId),
  grade: sourceValueOf(subject, sources.grade),
  homeroom: sourceValueOf(subject, sources.homeroom),
  period: sourceValueOf(subject, sources.period),
  teacher: sourceValueOf(subject, sources.teacher),
  track: sourceValueOf(subject, sources.track),
})
