import Ellipsis from 'lucide-react/icons/ellipsis'
import type { ReactNode } from 'react'
import { ListScreen } from '#client/staff/kit/list/list-screen.tsx'
import { formatLogTime } from '#client/staff/kit/list/log-filters.tsx'
import { RowButton } from '#client/staff/kit/list/panel-link.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { formatCount } from '#client/staff/kit/screen/format.ts'
import { listOrderErrorGroups, type OrderErrorGroup, type SelectedOrderErrors } from '#contract/system/order-errors.ts'
import { orderErrorKindNames } from '#domain/orders/order-error-kinds.ts'
import { Menu } from '#ui/popover/menu.tsx'
import type { Column } from '#ui/table/data-table.tsx'
import { type ErrorList, type ErrorQuery, matchingErrors, noErrorsYet } from './error-list.tsx'
import type { OrderErrorActions } from './use-order-error-actions.ts'

const columns: readonly Column<OrderErrorGroup>[] = [
  { id: 'message', header: 'Message', isLong: true, cell: ({ message }) => message },
  { id: 'count', header: 'Errors', isNumber: true, cell: ({ count }) => formatCount(count) },
  { id: 'studios', header: 'Studios', isNumber: true, cell: ({ studioCount }) => formatCount(studioCount) },
  { id: 'first', header: 'First', isOneLine: true, cell: ({ first }) => formatLogTime(first) },
  { id: 'last', header: 'Last', isOneLine: true, cell: ({ last }) => formatLogTime(last) },
]

type ErrorGroupsProps = {
  list: ErrorList
  query: ErrorQuery
  filters: ReactNode
  actions: OrderErrorActions
  onIgnore: (which: SelectedOrderErrors) => void
}

/** Errors grouped by their cause. A group opens the list of its errors. */
export const ErrorGroups = ({ list, query, filters, actions, onIgnore }: ErrorGroupsProps) => {
  const groups = useStaffQuery(listOrderErrorGroups, { query })
  const nameOf = ({ kind }: OrderErrorGroup): string => orderErrorKindNames[kind]
  const open = ({ groupId }: OrderErrorGroup) => list.chooseFilter('groupId', groupId)
  const actionsFor = (group: OrderErrorGroup) => {
    const which = matchingErrors({ ...query, groupId: group.groupId })
    const show = { label: 'Show them', onSelect: () => open(group) }
    if (query.state === 'ignored')
      return [show, { label: 'Stop ignoring all', onSelect: () => void actions.reopen(which) }]
    return [
      show,
      { label: 'Retry all', onSelect: () => void actions.retry(which) },
      { label: 'Ignore all', onSelect: () => onIgnore(which) },
    ]
  }
  const nameColumn: Column<OrderErrorGroup> = {
    id: 'kind',
    header: 'Cause',
    cell: (group) => <RowButton onOpen={() => open(group)}>{nameOf(group)}</RowButton>,
  }
  const actionColumn: Column<OrderErrorGroup> = {
    id: 'actions',
    header: 'Actions',
    cell: (group) => (
      <Menu label={`Actions for ${nameOf(group)}`} icon={Ellipsis} align="end" items={actionsFor(group)} />
    ),
  }
  return (
    <ListScreen
      label="Order errors"
      searchPlaceholder="Order number"
      list={list}
      query={groups}
      columns={[nameColumn, ...columns, actionColumn]}
      idOf={({ groupId }) => groupId}
      nameOf={nameOf}
      filters={filters}
      empty={noErrorsYet}
    />
  )
}
