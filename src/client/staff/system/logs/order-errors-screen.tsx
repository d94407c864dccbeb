import { useState } from 'react'
import { Link } from 'wouter'
import { ListFilter, optionsOf } from '#client/staff/kit/list/list-filter.tsx'
import { ListScreen } from '#client/staff/kit/list/list-screen.tsx'
import { type ListState, useList } from '#client/staff/kit/list/use-list.ts'
import { useListSelection } from '#client/staff/kit/list/use-list-selection.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { orderUrl } from '#client/staff/kit/routing/staff-urls.ts'
import { formatCount } from '#client/staff/kit/screen/format.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import {
  listOrderErrorCauses,
  listOrderErrors,
  type OrderErrorCause,
  type OrderErrorRow,
  orderErrorKinds,
  orderErrorStates,
} from '#contract/system/order-errors.ts'
import { toPage } from '#domain/shared/paging.ts'
import { Button } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import type { Column } from '#ui/table/data-table.tsx'
import { IgnoreErrorsDialog } from './ignore-errors-dialog.tsx'
import { formatLogTime, LogFilters, logFilterNames, logQuery } from './log-filters.tsx'
import { type ChosenErrors, RefusedErrors, useRetryErrors } from './retry-errors.tsx'

const kindNames: Readonly<Record<OrderErrorRow['kind'], string>> = {
  payment: 'Payment',
  refund: 'Refund',
  packet: 'Lab packet',
  download: 'Download',
  email: 'Email',
  image: 'Image',
}

const filterNames = [...logFilterNames, 'kind', 'state', 'cause'] as const
type ErrorList = ListState<(typeof filterNames)[number]>

const selectionOf = ({ query, filters }: ErrorList) => ({
  ...logQuery(query),
  kind: orderErrorKinds.find((kind) => kind === filters.kind),
  state: orderErrorStates.find((state) => state === filters.state),
})

const Filters = ({ list }: { list: ErrorList }) => (
  <>
    <ListFilter
      list={list}
      name="kind"
      label="Kind"
      options={[{ value: '', label: 'All kinds' }, ...optionsOf(kindNames)]}
    />
    <ListFilter
      list={list}
      name="state"
      label="State"
      options={[
        { value: '', label: 'Open' },
        { value: 'resolved', label: 'Resolved' },
      ]}
    />
    <LogFilters list={list} />
  </>
)

const nothingOpen = (
  <EmptyState title="Nothing failed">
    <p>Payments, refunds, lab packets, downloads, emails and images that fail and wait for someone appear here.</p>
  </EmptyState>
)

const Causes = ({ list }: { list: ErrorList }) => {
  const { cause: _, ...query } = selectionOf(list)
  const causes = useStaffQuery(listOrderErrorCauses, { query })
  const columns: readonly Column<OrderErrorCause>[] = [
    {
      id: 'cause',
      header: 'What failed',
      cell: ({ cause, message }) => (
        <Button variant="quiet" size="sm" onClick={() => list.chooseFilter('cause', cause)}>
          {message}
        </Button>
      ),
    },
    { id: 'kind', header: 'Kind', cell: ({ kind }) => kindNames[kind] },
    { id: 'count', header: 'Times', isNumber: true, cell: ({ count }) => formatCount(count) },
    { id: 'studios', header: 'Studios', isNumber: true, cell: ({ studioCount }) => formatCount(studioCount) },
    { id: 'first', header: 'First', cell: ({ firstAt }) => formatLogTime(firstAt) },
    { id: 'last', header: 'Last', cell: ({ lastAt }) => formatLogTime(lastAt) },
  ]
  return (
    <ListScreen
      label="Causes"
      searchPlaceholder="Order number"
      list={list}
      query={causes}
      columns={columns}
      idOf={({ cause }) => cause}
      nameOf={({ message }) => message}
      filters={<Filters list={list} />}
      empty={nothingOpen}
    />
  )
}

const keyOf = ({ source, studioId, id }: OrderErrorRow): string => `${source} ${studioId ?? ''} ${id}`

const OrderLink = ({ error: { studioId, jobId, orderNumber } }: { error: OrderErrorRow }) =>
  studioId === null || jobId === null || orderNumber === null ? (
    (orderNumber ?? '–')
  ) : (
    <Link href={orderUrl({ studioId, jobId }, orderNumber)}>{orderNumber}</Link>
  )

const stateOf = ({ resolvedAt, resolvedBy, resolution }: OrderErrorRow): string =>
  resolvedAt === null ? 'Open' : [resolution, resolvedBy].filter(Boolean).join(', ')

const columns: readonly Column<OrderErrorRow>[] = [
  { id: 'message', header: 'What failed', cell: ({ message }) => message },
  { id: 'kind', header: 'Kind', cell: ({ kind }) => kindNames[kind] },
  { id: 'order', header: 'Order', cell: (error) => <OrderLink error={error} /> },
  { id: 'studio', header: 'Studio', cell: ({ studioName }) => studioName ?? '–' },
  { id: 'time', header: 'When', cell: ({ createdAt }) => formatLogTime(createdAt) },
  { id: 'state', header: 'State', cell: stateOf },
]

const Errors = ({ list }: { list: ErrorList }) => {
  const query = selectionOf(list)
  const { currentPage: _, pageSize: __, ...all } = query
  const errors = useStaffQuery(listOrderErrors, { query })
  const page = errors.data && toPage(errors.data)
  const rows = page?.resultItems ?? []
  const selection = useListSelection(all, { ids: rows.map(keyOf), total: page?.totalRecords ?? 0 })
  const [ignored, setIgnored] = useState<ChosenErrors | null>(null)
  const { retry, busy, refusals, showRefusals } = useRetryErrors()
  const chosen = (): ChosenErrors =>
    selection.isAll
      ? { all }
      : {
          errors: rows
            .filter((row) => selection.ids.has(keyOf(row)))
            .map(({ source, id, studioId }) => ({ source, id, studioId })),
        }
  const clear = () => selection.change(new Set())
  return (
    <>
      <RefusedErrors refusals={refusals} rows={rows} onDismiss={() => showRefusals([])} />
      <ListScreen
        label="Errors"
        searchPlaceholder="Order number"
        list={list}
        query={errors}
        columns={columns}
        idOf={keyOf}
        nameOf={({ message }) => message}
        actions={
          list.filters.cause !== undefined && (
            <Button variant="secondary" onClick={() => list.chooseFilter('cause', undefined)}>
              All causes
            </Button>
          )
        }
        filters={<Filters list={list} />}
        empty={nothingOpen}
        {...(query.state !== 'resolved' && {
          selection,
          bulkActions: (
            <>
              <Button
                variant="secondary"
                size="sm"
                loading={busy}
                onClick={() => void retry(chosen()).then((isDone) => isDone && clear())}
              >
                Retry
              </Button>
              <Button variant="secondary" size="sm" onClick={() => setIgnored(chosen())}>
                Ignore
              </Button>
            </>
          ),
        })}
      />
      {ignored && (
        <IgnoreErrorsDialog
          chosen={ignored}
          count={selection.count}
          onDone={(refused) => {
            showRefusals(refused)
            clear()
          }}
          onClose={() => setIgnored(null)}
        />
      )}
    </>
  )
}

/** Everything that failed and waits for someone, by cause; a cause, an order or the resolved ones as single errors. */
export const OrderErrorsScreen = () => {
  const list = useList(filterNames)
  const { cause, state } = list.filters
  const isSingle = cause !== undefined || state === 'resolved' || list.query.filter !== undefined
  return (
    <StaffScreen
      title="Order errors"
      lead="What failed and waits: retry it, or ignore it with a reason. An error leaves the list once its cause is gone."
    >
      {isSingle ? <Errors list={list} /> : <Causes list={list} />}
    </StaffScreen>
  )
}
