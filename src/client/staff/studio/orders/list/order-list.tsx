import { type ReactNode, useMemo } from 'react'
import { ListScreen } from '#client/staff/kit/list/list-screen.tsx'
import { useList } from '#client/staff/kit/list/use-list.ts'
import { useAnswer } from '#client/staff/kit/query/use-staff-query.ts'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import type { JobPlace } from '#client/staff/kit/routing/staff-urls.ts'
import { listStaffOrders, type OrderFilter } from '#contract/studio/order-lists.ts'
import { pageIn } from '#domain/shared/paging.ts'
import { Button } from '#ui/button/button.tsx'
import { OutcomeNotice } from '../bulk/bulk-result.tsx'
import { type Many, useMany } from '../bulk/use-bulk-actions.ts'
import { type Picked, usePicked } from '../bulk/use-order-selection.ts'
import { orderUrl } from '../order-urls.ts'
import { orderColumns } from './order-columns.tsx'
import { type FilterName, filterNames, OrderFilters } from './order-filters.tsx'
import { OrderBeside } from './order-panel.tsx'
import { useOrderBeside } from './use-open-order.ts'

type OrderListProps = {
  job: JobPlace
  /** What is always sought: the view, the batch. */
  of: OrderFilter
  /** The filters that make sense here. */
  filters: readonly FilterName[]
  /** What may be done with what is selected. */
  bulk: (picked: Picked, many: Many) => ReactNode
  empty: ReactNode
  actions?: ReactNode
}

/** Orders in a list, many of them done something with at once, each opened beside it. */
export const OrderList = ({ job, of, filters, bulk, empty, actions }: OrderListProps) => {
  const { studioId, jobId } = job
  const { timeZone } = useStudio()
  const list = useList(filterNames)
  const { currentPage, pageSize, sort, ...chosen } = list.query
  // What stands in an address may be anything; the server says so where it is nothing it knows.
  const matching = { ...of, ...chosen } as OrderFilter // what stands in an address is read by the server's own struct
  const query = { ...matching, currentPage, pageSize, ...(sort && { sort }) }
  const reading = useAnswer(listStaffOrders, { params: { studioId, jobId }, query })
  const page = reading.data && pageIn(reading.data)
  const rows = page?.resultItems ?? []
  const total = page?.totalRecords ?? 0
  const picked = usePicked(matching, { numbers: rows.map(({ orderNumber }) => orderNumber), total })
  const many = useMany(job)
  const beside = useOrderBeside()
  // biome-ignore lint/correctness/useExhaustiveDependencies: where a number leads is the same however often the list is drawn
  const columns = useMemo(
    () => orderColumns({ timeZone, urlOf: (number) => orderUrl(job, number), openBeside: beside.open }),
    [studioId, jobId, timeZone],
  )
  return (
    <>
      {many.outcome && <OutcomeNotice job={job} outcome={many.outcome} onDismiss={many.forget} />}
      <ListScreen
        label="Orders"
        seek="Number, customer, e-mail or person"
        list={list}
        reading={reading}
        columns={columns}
        idOf={({ orderNumber }) => orderNumber}
        nameOf={({ orderNumber }) => orderNumber}
        filters={<OrderFilters list={list} names={filters} />}
        actions={actions}
        selection={{ ids: picked.ids, change: picked.change }}
        selectedCount={picked.count}
        bulk={
          <>
            {total > picked.ids.size && !picked.isAll && (
              <Button variant="quiet" size="sm" onClick={picked.pickAll}>
                Select all {total.toLocaleString('en-US')}
              </Button>
            )}
            {bulk(picked, many)}
          </>
        }
        openId={beside.openNumber ?? undefined}
        beside={
          beside.openNumber !== null && (
            <OrderBeside key={beside.openNumber} job={job} orderNumber={beside.openNumber} onClose={beside.close} />
          )
        }
        empty={empty}
      />
    </>
  )
}
