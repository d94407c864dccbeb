import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { ListScreen } from '#client/staff/kit/list/list-screen.tsx'
import { formatLogTime } from '#client/staff/kit/list/log-filters.tsx'
import { useListSelection } from '#client/staff/kit/list/use-list-selection.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { orderUrl } from '#client/staff/kit/routing/staff-urls.ts'
import { listOrderErrors, type OrderErrorRow, type SelectedOrderErrors } from '#contract/system/order-errors.ts'
import { orderErrorKindNames } from '#domain/orders/order-error-kinds.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import { Button } from '#ui/button/button.tsx'
import type { Column } from '#ui/table/data-table.tsx'
import { type ErrorList, type ErrorQuery, matchingErrors, noErrorsYet } from './error-list.tsx'
import { errorKey, type OrderErrorActions, selectErrors } from './use-order-error-actions.ts'

/** The number of orders of a packet that are listed. */
const maxOrderLinks = 3

const nameOf = ({ kind, detail }: OrderErrorRow): string =>
  detail === null ? orderErrorKindNames[kind] : `${orderErrorKindNames[kind]}: ${detail}`

const OrderLinks = ({ row: { studioId, jobId, orderNumbers } }: { row: OrderErrorRow }) => {
  if (studioId === null || jobId === null || orderNumbers.length === 0) return '–'
  const rest = orderNumbers.length - maxOrderLinks
  return (
    <>
      {orderNumbers.slice(0, maxOrderLinks).map((orderNumber) => (
        <Link key={orderNumber} href={orderUrl({ studioId, jobId }, orderNumber)}>
          {orderNumber}{' '}
        </Link>
      ))}
      {rest > 0 && `and ${rest} more`}
    </>
  )
}

const ignoredText = ({ ignored }: OrderErrorRow): string =>
  ignored ? `${ignored.by ?? 'Someone'}, ${formatLogTime(ignored.at)}: ${ignored.reason}` : '–'

const columns: readonly Column<OrderErrorRow>[] = [
  { id: 'error', header: 'Error', cell: nameOf },
  { id: 'message', header: 'Message', isLong: true, cell: ({ message }) => message },
  { id: 'order', header: 'Order', isOneLine: true, cell: (row) => <OrderLinks row={row} /> },
  { id: 'studio', header: 'Studio', cell: ({ studioName }) => studioName ?? '–' },
  {
    id: 'amount',
    header: 'Amount',
    isNumber: true,
    cell: ({ amountCents }) => (amountCents === null ? '–' : formatMoney(amountCents)),
  },
  { id: 'time', header: 'When', isOneLine: true, cell: ({ failedAt }) => formatLogTime(failedAt) },
]

type ErrorEntriesProps = {
  list: ErrorList
  query: ErrorQuery
  filters: ReactNode
  actions: OrderErrorActions
  /** `onIgnored` runs after the errors were ignored. */
  onIgnore: (which: SelectedOrderErrors, onIgnored?: () => void) => void
}

/** The single errors that match, with the actions for one or many of them. */
export const ErrorEntries = ({ list, query, filters, actions, onIgnore }: ErrorEntriesProps) => {
  const errors = useStaffQuery(listOrderErrors, { query })
  const rows = errors.data?.resultItems ?? []
  const matching = matchingErrors(query)
  const total = errors.data?.totalRecords ?? 0
  const selection = useListSelection(matching, { ids: rows.map(errorKey), total })
  const selected = selection.isAll ? matching : selectErrors(selection.ids)
  const clearAfter = async (action: Promise<boolean>) => {
    if (await action) selection.change(new Set())
  }
  const isIgnoredList = query.state === 'ignored'
  const actionColumn: Column<OrderErrorRow> = {
    id: 'actions',
    header: 'Actions',
    cell: (row) => {
      const which = selectErrors([errorKey(row)])
      if (isIgnoredList)
        return (
          <Button variant="quiet" size="sm" onClick={() => void actions.reopen(which)}>
            Stop ignoring
          </Button>
        )
      return (
        <>
          {row.canRetry && (
            <Button variant="quiet" size="sm" onClick={() => void actions.retry(which)}>
              Retry
            </Button>
          )}
          <Button variant="quiet" size="sm" onClick={() => onIgnore(which)}>
            Ignore
          </Button>
        </>
      )
    },
  }
  const ignoredColumn: Column<OrderErrorRow> = { id: 'ignored', header: 'Ignored by', cell: ignoredText }
  return (
    <ListScreen
      label="Order errors"
      searchPlaceholder="Order number"
      list={list}
      query={errors}
      columns={[...columns, ...(isIgnoredList ? [ignoredColumn] : []), actionColumn]}
      idOf={errorKey}
      nameOf={nameOf}
      filters={filters}
      // The group has no select: it is the list that was opened.
      filterCount={Object.keys(list.filters).filter((name) => name !== 'groupId').length}
      selection={selection}
      bulkActions={
        isIgnoredList ? (
          <Button size="sm" loading={actions.busy} onClick={() => void clearAfter(actions.reopen(selected))}>
            Stop ignoring
          </Button>
        ) : (
          <>
            <Button size="sm" loading={actions.busy} onClick={() => void clearAfter(actions.retry(selected))}>
              Retry
            </Button>
            <Button variant="secondary" size="sm" onClick={() => onIgnore(selected, () => selection.change(new Set()))}>
              Ignore
            </Button>
          </>
        )
      }
      empty={noErrorsYet}
    />
  )
}
