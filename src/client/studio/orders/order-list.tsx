import { type ReactNode, useMemo } from 'react'
import { listStaffOrders, type OrderFilter } from '../../../contract/studio/order-lists.ts'
import { pageIn } from '../../../domain/paging.ts'
import { ListScreen } from '../../staff/list-screen.tsx'
import { useStudio } from '../../staff/staff-context.ts'
import type { JobPlace } from '../../staff/staff-urls.ts'
import { useAnswer } from '../../staff/use-answer.ts'
import { useList } from '../../staff/use-list.ts'
import { Button } from '../../ui/button.tsx'
import { OrderBeside } from './order-beside.tsx'
import { orderColumns } from './order-columns.tsx'
import { type FilterName, filterNames, OrderFilters } from './order-filters.tsx'
import { orderUrl } from './order-urls.ts'
import { OutcomeNotice } from './outcome.tsx'
import { type Many, useMany } from './use-many.ts'
import { useOrderBeside } from './use-order-beside.ts'
import { type Picked, usePicked } from './use-picked.ts'

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
