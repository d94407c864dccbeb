import { ListFilter } from '#client/staff/kit/list/list-filter.tsx'
import type { ListState } from '#client/staff/kit/list/use-list.ts'
import type { Group } from '#contract/studio/groups.ts'
import type { SelectOption } from '#ui/form/select.tsx'
import styles from './subjects.module.css'

/** The subject list's own filters, in addition to the search text. */
export const subjectFilterNames = ['groupId', 'images', 'visibility', 'orders', 'attendance'] as const
export type SubjectFilterName = (typeof subjectFilterNames)[number]

const narrowedTo = (label: string, labels: Readonly<Record<string, string>>) => ({
  label,
  options: [
    { value: '', label },
    ...Object.entries(labels).map(([value, optionLabel]) => ({ value, label: optionLabel })),
  ],
})

const choices: Readonly<
  Record<Exclude<SubjectFilterName, 'groupId'>, { label: string; options: readonly SelectOption[] }>
> = {
  images: narrowedTo('Images', { with: 'With images', without: 'Without images' }),
  visibility: narrowedTo('Visibility', { shown: 'Shown', hidden: 'Hidden' }),
  orders: narrowedTo('Orders', { ordered: 'Ordered', 'not-ordered': 'Not ordered' }),
  attendance: narrowedTo('Shoot', { 'checked-in': 'Checked in', 'not-checked-in': 'Not checked in', absent: 'Absent' }),
}

const isOther = (name: SubjectFilterName): name is keyof typeof choices => name in choices

/** Selects for the subject list's filters. */
export const SubjectFilters = ({ list, groups }: { list: ListState<SubjectFilterName>; groups: readonly Group[] }) => {
  const select = (name: SubjectFilterName, label: string, options: readonly SelectOption[]) => (
    <ListFilter key={name} {...{ list, name, label, options }} className={styles.filter} />
  )
  const ofGroups = [
    { value: '', label: 'All groups' },
    ...groups.map(({ id, name, subjectCount }) => ({ value: String(id), label: `${name} (${subjectCount})` })),
  ]
  return (
    <>
      {select('groupId', 'Group', ofGroups)}
      {subjectFilterNames.filter(isOther).map((name) => select(name, choices[name].label, choices[name].options))}
    </>
  )
}
