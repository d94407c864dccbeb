import type { ListState } from '#client/staff/kit/list/use-list.ts'
import { orderStateNames } from '#domain/orders/order-states.ts'
import { Field } from '#ui/form/field.tsx'
import { Select, type SelectOption } from '#ui/form/select.tsx'
import styles from '../job-orders.module.css'

/** The order list's own filters, in addition to the search text. */
export const orderFilterNames = ['method', 'state', 'waiting'] as const
export type OrderFilterName = (typeof orderFilterNames)[number]

const choices: Readonly<Record<OrderFilterName, { label: string; options: readonly SelectOption[] }>> = {
  method: {
    label: 'Way of ordering',
    options: [
      { value: '', label: 'Way of ordering' },
      { value: 'prepay', label: 'Prepay' },
      { value: 'gallery', label: 'Gallery' },
    ],
  },
  state: {
    label: 'State',
    options: [
      { value: '', label: 'All states' },
      ...Object.entries(orderStateNames).map(([value, label]) => ({ value, label })),
    ],
  },
  waiting: {
    label: 'Waiting for',
    options: [
      { value: '', label: 'Pictures' },
      { value: 'poses', label: 'Pictures to be chosen' },
      { value: 'nothing', label: 'Pictures chosen' },
    ],
  },
}

/** Selects for the order list's filters. */
export const OrderFilters = ({
  list,
  names,
}: {
  list: ListState<OrderFilterName>
  names: readonly OrderFilterName[]
}) =>
  names.map((name) => (
    <Field key={name} label={choices[name].label} hideLabel className={styles.filter}>
      <Select
        options={choices[name].options}
        value={list.chosen[name] ?? ''}
        onValue={(value) => list.choose(name, value || undefined)}
      />
    </Field>
  ))
