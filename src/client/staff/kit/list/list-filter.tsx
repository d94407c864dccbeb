import { Field } from '#ui/form/field.tsx'
import { Select, type SelectOption } from '#ui/form/select.tsx'
import type { ListState } from './use-list.ts'

export type ListFilterProps<Name extends string> = {
  list: ListState<Name>
  name: Name
  /** Read aloud only: the first option says on the screen what is chosen between. */
  label: string
  /** The one of value '' narrows nothing. */
  options: readonly SelectOption[]
  className?: string | undefined
}

/** One of a list's own filters, beside the text that is sought. */
export const ListFilter = <Name extends string>({ list, name, label, options, className }: ListFilterProps<Name>) => (
  <Field label={label} hideLabel className={className}>
    <Select
      options={options}
      value={list.chosen[name] ?? ''}
      onValue={(value) => list.choose(name, value || undefined)}
    />
  </Field>
)
