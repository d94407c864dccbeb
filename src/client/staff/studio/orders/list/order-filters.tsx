import { ListFilter, optionsOf } from '#client/staff/kit/list/list-filter.tsx'
import type { ListState } from '#client/staff/kit/list/use-list.ts'
import { orderStateNames } from '#domain/orders/order-states.ts'
import type { SelectOption } from '#ui/form/select.tsx'

/** The filters of order lists, in addition to the search text. */
export const orderFilterNames = ['method', 'state', 'waiting'] as const
export type OrderFilterName = (typeof orderFilterNames)[number]

const filterSelects: Readonly<Record<OrderFilterName, { label: string; options: readonly SelectOption[] }>> = {
  method: {
    label: 'Type',
    options: [
      { value: '', label: 'Type' },
      { value: 'prepay', label: 'Prepay' },
      { value: 'gallery', label: 'Gallery' },
    ],
  },
  state: {
    label: 'State',
    options: [{ value: '', label: 'All states' }, ...optionsOf(orderStateNames)],
  },
  waiting: {
    label: 'Waiting for',
    options: [
      { value: '', label: 'Images' },
      { value: 'poses', label: 'Images to choose' },
      { value: 'nothing', label: 'Images chosen' },
    ],
  },
}

/** Selects for the filters of an order list. */
export const OrderFilters = ({
  list,
  names,
}: {
  list: ListState<OrderFilterName>
  names: readonly OrderFilterName[]
}) => names.map((name) => <ListFilter key={name} list={list} name={name} {...filterSelects[name]} />)
