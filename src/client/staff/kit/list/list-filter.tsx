import { Field } from '#ui/form/field.tsx'
import { Select, type SelectOption } from '#ui/form/select.tsx'
import type { ListState } from './use-list.ts'

export type ListFilterProps<Name extends string> = {
  list: ListState<Name>
  name: Name
  /** Accessible name only. The first option describes the filter on the screen. */
  label: string
  /** The option with value '' disables the filter. */
  options: readonly SelectOption[]
  className?: string | undefined
}

/** A select for one of the list's own filters. */
export const ListFilter = <Name extends string>({ list, name, label, options, className }: ListFilterProps<Name>) => (
  <Field label={label} hideLabel className={className}>
    <Select
      options={options}
      value={list.chosen[name] ?? ''}
      onValue={(value) => list.choose(name, value || undefined)}
    />
  </Field>
)
