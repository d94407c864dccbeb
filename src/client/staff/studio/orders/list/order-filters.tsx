import type { ListState } from '#client/staff/kit/list/use-list.ts'
import { orderStateNames } from '#domain/orders/order-states.ts'
import { Field } from '#ui/form/field.tsx'
import { Select, type SelectOption } from '#ui/form/select.tsx'
import styles from '../job-orders.module.css'

/** What a list of orders is narrowed to, beside the words that are sought in it. */
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

/** The selects beside the field that is typed in. */
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
