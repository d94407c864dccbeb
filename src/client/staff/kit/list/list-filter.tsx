import { Field } from '#ui/form/field.tsx'
import { Select, type SelectOption } from '#ui/form/select.tsx'
import type { ListState } from './use-list.ts'

export type ListFilterProps<Name extends string> = {
  list: ListState<Name>
  name: Name
  /** The accessible name. It is not visible, so the first option must describe the filter. */
  label: string
  /** An option with the value '' turns the filter off. */
  options: readonly SelectOption[]
  className?: string | undefined
}

/** A select for one filter of the list. */
export const ListFilter = <Name extends string>({ list, name, label, options, className }: ListFilterProps<Name>) => (
  <Field label={label} hideLabel className={className}>
    <Select
      options={options}
      value={list.filters[name] ?? ''}
      onValue={(value) => list.chooseFilter(name, value || undefined)}
    />
  </Field>
)
