import type { Group } from '../../../contract/studio/groups.ts'
import type { ListState } from '../../staff/use-list.ts'
import { Field } from '../../ui/field.tsx'
import { Select, type SelectOption } from '../../ui/select.tsx'
import styles from './subjects.module.css'

/** What the list of people is narrowed to, beside the words that are sought in it. */
export const filterNames = ['groupId', 'images', 'visibility', 'orders', 'attendance'] as const
export type FilterName = (typeof filterNames)[number]

const choices: Readonly<Record<Exclude<FilterName, 'groupId'>, { label: string; options: readonly SelectOption[] }>> = {
  images: {
    label: 'Images',
    options: [
      { value: '', label: 'Images' },
      { value: 'with', label: 'With images' },
      { value: 'without', label: 'Without images' },
    ],
  },
  visibility: {
    label: 'Visibility',
    options: [
      { value: '', label: 'Visibility' },
      { value: 'shown', label: 'Shown' },
      { value: 'hidden', label: 'Hidden' },
    ],
  },
  orders: {
    label: 'Orders',
    options: [
      { value: '', label: 'Orders' },
      { value: 'ordered', label: 'Ordered' },
      { value: 'not-ordered', label: 'Not ordered' },
    ],
  },
  attendance: {
    label: 'Shoot',
    options: [
      { value: '', label: 'Shoot' },
      { value: 'checked-in', label: 'Checked in' },
      { value: 'not-checked-in', label: 'Not checked in' },
      { value: 'absent', label: 'Absent' },
    ],
  },
}

const isOther = (name: FilterName): name is keyof typeof choices => name in choices

/** The selects beside the field that is typed in. */
export const PersonFilters = ({ list, groups }: { list: ListState<FilterName>; groups: readonly Group[] }) => {
  const select = (name: FilterName, label: string, options: readonly SelectOption[]) => (
    <Field key={name} label={label} hideLabel className={styles.filter}>
      <Select
        options={options}
        value={list.chosen[name] ?? ''}
        onValue={(value) => list.choose(name, value || undefined)}
      />
    </Field>
  )
  const ofGroups = [
    { value: '', label: 'All groups' },
    ...groups.map(({ id, name, subjectCount }) => ({ value: String(id), label: `${name} (${subjectCount})` })),
  ]
  return (
    <>
      {select('groupId', 'Group', ofGroups)}
      {filterNames.filter(isOther).map((name) => select(name, choices[name].label, choices[name].options))}
    </>
  )
}
