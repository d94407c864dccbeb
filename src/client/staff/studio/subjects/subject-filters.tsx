import { ListFilter, optionsOf } from '#client/staff/kit/list/list-filter.tsx'
import type { ListState } from '#client/staff/kit/list/use-list.ts'
import type { Group } from '#contract/studio/groups.ts'
import type { SelectOption } from '#ui/form/select.tsx'

/** The filters of the subject list, in addition to the search text. */
export const subjectFilterNames = ['groupId', 'images', 'visibility', 'orders', 'attendance'] as const
export type SubjectFilterName = (typeof subjectFilterNames)[number]

const filterSelect = (label: string, labels: Readonly<Record<string, string>>) => ({
  label,
  options: [{ value: '', label }, ...optionsOf(labels)],
})

const filterSelects: Readonly<
  Record<Exclude<SubjectFilterName, 'groupId'>, { label: string; options: readonly SelectOption[] }>
> = {
  images: filterSelect('Images', { with: 'With images', without: 'Without images' }),
  visibility: filterSelect('Visibility', { shown: 'Shown', hidden: 'Hidden' }),
  orders: filterSelect('Orders', { ordered: 'Ordered', 'not-ordered': 'Not ordered' }),
  attendance: filterSelect('Shoot', {
    'checked-in': 'Checked in',
    'not-checked-in': 'Not checked in',
    absent: 'Absent',
  }),
}

const hasFixedOptions = (name: SubjectFilterName): name is keyof typeof filterSelects => name in filterSelects

/** Selects for the filters of the subject list. */
export const SubjectFilters = ({ list, groups }: { list: ListState<SubjectFilterName>; groups: readonly Group[] }) => {
  const select = (name: SubjectFilterName, label: string, options: readonly SelectOption[]) => (
    <ListFilter key={name} {...{ list, name, label, options }} />
  )
  const groupOptions = [
    { value: '', label: 'All groups' },
    ...groups.map(({ id, name, subjectCount }) => ({ value: String(id), label: `${name} (${subjectCount})` })),
  ]
  return (
    <>
      {select('groupId', 'Group', groupOptions)}
      {subjectFilterNames
        .filter(hasFixedOptions)
        .map((name) => select(name, filterSelects[name].label, filterSelects[name].options))}
    </>
  )
}
