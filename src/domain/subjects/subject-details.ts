import { sourceKey } from '../catalogue/autofill.ts'
import { searchKey } from './subject-search.ts'

/** All that a list can say of a person. Groups by name, fields by theirs; both sorted, so that the same facts are written alike. */
export type SubjectDetails = {
  readonly firstName: string
  readonly lastName: string
  readonly reference: string | null
  readonly code: string | null
  readonly groups: readonly string[]
  readonly fields: readonly { readonly name: string; readonly value: string }[]
}

/** The most fields a person has, wherever they come from. */
export const maxSubjectFields = 300

const byText = (one: string, other: string): number => (one < other ? -1 : Number(one > other))

/** The same facts in the one order they are compared in. */
export const sortDetails = (facts: SubjectDetails): SubjectDetails => ({
  firstName: facts.firstName,
  lastName: facts.lastName,
  reference: facts.reference,
  code: facts.code,
  groups: facts.groups.toSorted(byText),
  fields: facts.fields
    .map(({ name, value }) => ({ name, value }))
    .toSorted((one, other) => byText(one.name, other.name)),
})

/** Whether two say the same of a person. */
export const hasSameDetails = (one: SubjectDetails, other: SubjectDetails): boolean =>
  JSON.stringify(sortDetails(one)) === JSON.stringify(sortDetails(other))

/** What a person is called, as names are compared. */
export const subjectNameKey = ({ firstName, lastName }: Pick<SubjectDetails, 'firstName' | 'lastName'>): string =>
  `${searchKey(firstName)} ${searchKey(lastName)}`

/** A group as groups are compared within an event. */
export const groupKey = (name: string): string => name.toLowerCase()

/**
 * A person after a list said something of them. What the list leaves out stays; a name or a value it gives takes the place of the old
 * one. Whoever is in one group and is listed in one moves there; otherwise groups are only added.
 */
export const mergeDetails = (before: SubjectDetails, list: SubjectDetails): SubjectDetails => {
  const said = new Map(list.fields.map((field) => [sourceKey(field.name), field]))
  const fields = before.fields.map((field) => ({
    ...field,
    value: said.get(sourceKey(field.name))?.value ?? field.value,
  }))
  const there = new Set(before.fields.map(({ name }) => sourceKey(name)))
  const added = list.fields.filter(({ name }) => !there.has(sourceKey(name)))
  const moves = before.groups.length === 1 && list.groups.length === 1
  const groups = new Map((moves ? [] : before.groups).map((name) => [groupKey(name), name]))
  for (const name of list.groups) if (!groups.has(groupKey(name))) groups.set(groupKey(name), name)
  return sortDetails({
    firstName: list.firstName || before.firstName,
    lastName: list.lastName || before.lastName,
    reference: list.reference ?? before.reference,
    code: list.code ?? before.code,
    groups: [...groups.values()],
    fields: [...fields, ...added],
  })
}

/** One thing that is another after a change; empty where there was, or is, nothing. */
export type DetailChange = { readonly what: string; readonly from: string; readonly to: string }

const listed = ({ firstName, lastName, reference, code, groups, fields }: SubjectDetails): Map<string, string> =>
  new Map([
    ['First name', firstName],
    ['Last name', lastName],
    ['Student id', reference ?? ''],
    ['Access code', code ?? ''],
    ['Group', groups.join(', ')],
    ...fields.map(({ name, value }): [string, string] => [name, value]),
  ])

const nobody: SubjectDetails = { firstName: '', lastName: '', reference: null, code: null, groups: [], fields: [] }

/** What is different of a person, fact by fact; of a new one, all there is. */
export const detailChanges = (before: SubjectDetails | null, after: SubjectDetails): DetailChange[] => {
  const [was, is] = [listed(before ?? nobody), listed(after)]
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((what) => ({ what, from: was.get(what) ?? '', to: is.get(what) ?? '' }))
    .filter(({ from, to }) => from !== to)
}
