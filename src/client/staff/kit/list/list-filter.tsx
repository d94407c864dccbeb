import { createContext, useContext } from 'react'
import { listStudios } from '#contract/system/studios.ts'
import { toPage } from '#domain/shared/paging.ts'
import { Field } from '#ui/form/field.tsx'
import { Select, type SelectOption } from '#ui/form/select.tsx'
import { useStaffQuery } from '../query/use-staff-query.ts'
import type { ListState } from './use-list.ts'

/** Whether the filters are in a dialog, which has room for their labels. */
export const InFilterDialog = createContext(false)

/** The options of a select for these labels by value. */
export const optionsOf = (labels: Readonly<Record<string, string>>): SelectOption[] =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

export type ListFilterProps<Name extends string> = {
  list: ListState<Name>
  name: Name
  /** The accessible name. Unless it is visible, the first option must describe the filter. */
  label: string
  hasVisibleLabel?: boolean
  /** An option with the value '' turns the filter off. */
  options: readonly SelectOption[]
  className?: string | undefined
}

/** A select for one filter of the list. */
export const ListFilter = <Name extends string>(props: ListFilterProps<Name>) => {
  const { list, name, label, hasVisibleLabel = false, options, className } = props
  const isInDialog = useContext(InFilterDialog)
  return (
    <Field label={label} hideLabel={!hasVisibleLabel && !isInDialog} className={className}>
      <Select
        options={options}
        value={list.filters[name] ?? ''}
        onValue={(value) => list.chooseFilter(name, value || undefined)}
      />
    </Field>
  )
}

/** The studios of the platform as options, for administrators. */
export const useStudioOptions = (): readonly SelectOption[] => {
  const { data } = useStaffQuery(listStudios)
  const studios = data ? toPage(data).resultItems : []
  return studios.map(({ id, name }) => ({ value: String(id), label: name }))
}

/** The option for all studios, above those of `useStudioOptions`. */
export const allStudios: SelectOption = { value: '', label: 'All studios' }

/** A select that filters the list by studio, for administrators. */
export const StudioFilter = <Name extends string>(props: Omit<ListFilterProps<Name>, 'label' | 'options'>) => (
  <ListFilter {...props} label="Studio" options={[allStudios, ...useStudioOptions()]} />
)
