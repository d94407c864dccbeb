import { sourceKey } from '../catalogue/autofill.ts'
import { searchKey } from './subject-search.ts'

/**
 * All that a list can contain about a subject. Groups and fields are sorted by name, so that equal details are
 * serialised equally.
 */
export type SubjectDetails = {
  readonly firstName: string
  readonly lastName: string
  readonly reference: string | null
  readonly code: string | null
  readonly groups: readonly string[]
  readonly fields: readonly { readonly name: string; readonly value: string }[]
}

/** Maximum number of fields of a subject, from any source. */
export const maxSubjectFields = 300

const compareText = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

/** Sorts details for comparison. */
export const sortDetails = (details: SubjectDetails): SubjectDetails => ({
  firstName: details.firstName,
  lastName: details.lastName,
  reference: details.reference,
  code: details.code,
  groups: details.groups.toSorted(compareText),
  fields: details.fields.map(({ name, value }) => ({ name, value })).toSorted((a, b) => compareText(a.name, b.name)),
})

/** Whether two details are equal. */
export const hasSameDetails = (a: SubjectDetails, b: SubjectDetails): boolean =>
  JSON.stringify(sortDetails(a)) === JSON.stringify(sortDetails(b))

/** A subject's name as a key for comparison. */
export const subjectNameKey = ({ firstName, lastName }: Pick<SubjectDetails, 'firstName' | 'lastName'>): string =>
  `${searchKey(firstName)} ${searchKey(lastName)}`

/** A group's name as a key, unique within an event. */
export const groupKey = (name: string): string => name.toLowerCase()

/**
 * Merges a subject with a row of a list. Values missing in the row stay; names and values in it replace the old ones.
 * If both have exactly one group, the subject moves to the row's group; otherwise groups are only added.
 */
export const mergeDetails = (before: SubjectDetails, row: SubjectDetails): SubjectDetails => {
  const rowFields = new Map(row.fields.map((field) => [sourceKey(field.name), field]))
  const fields = before.fields.map((field) => ({
    ...field,
    value: rowFields.get(sourceKey(field.name))?.value ?? field.value,
  }))
  const existingKeys = new Set(before.fields.map(({ name }) => sourceKey(name)))
  const added = row.fields.filter(({ name }) => !existingKeys.has(sourceKey(name)))
  const isGroupMove = before.groups.length === 1 && row.groups.length === 1
  const groups = new Map((isGroupMove ? [] : before.groups).map((name) => [groupKey(name), name]))
  for (const name of row.groups) if (!groups.has(groupKey(name))) groups.set(groupKey(name), name)
  return sortDetails({
    firstName: row.firstName || before.firstName,
    lastName: row.lastName || before.lastName,
    reference: row.reference ?? before.reference,
    code: row.code ?? before.code,
    groups: [...groups.values()],
    fields: [...fields, ...added],
  })
}

/** One changed value; empty text if it did not exist before or after. */
export type DetailChange = { readonly what: string; readonly from: string; readonly to: string }

const labelledValues = ({
  firstName,
  lastName,
  reference,
  code,
  groups,
  fields,
}: SubjectDetails): Map<string, string> =>
  new Map([
    ['First name', firstName],
    ['Last name', lastName],
    ['Student id', reference ?? ''],
    ['Access code', code ?? ''],
    ['Group', groups.join(', ')],
    ...fields.map(({ name, value }): [string, string] => [name, value]),
  ])

const emptyDetails: SubjectDetails = {
  firstName: '',
  lastName: '',
  reference: null,
  code: null,
  groups: [],
  fields: [],
}

/** The differences between two versions of a subject, value by value; for a new subject, all values. */
export const detailChanges = (before: SubjectDetails | null, after: SubjectDetails): DetailChange[] => {
  const [valuesBefore, valuesAfter] = [labelledValues(before ?? emptyDetails), labelledValues(after)]
  return [...new Set([...valuesBefore.keys(), ...valuesAfter.keys()])]
    .map((what) => ({ what, from: valuesBefore.get(what) ?? '', to: valuesAfter.get(what) ?? '' }))
    .filter(({ from, to }) => from !== to)
}
