import { type ReactNode, useMemo } from 'react'
import { ListScreen } from '#client/staff/kit/list/list-screen.tsx'
import { useList } from '#client/staff/kit/list/use-list.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { listStaffOrders, type OrderFilter } from '#contract/studio/order-lists.ts'
import { toPage } from '#domain/shared/paging.ts'
import { Button } from '#ui/button/button.tsx'
import { BulkResultNotice } from '../bulk/bulk-result.tsx'
import { type BulkActions, useBulkActions } from '../bulk/use-bulk-actions.ts'
import { type OrderSelection, useOrderSelection } from '../bulk/use-order-selection.ts'
import { orderUrl } from '../order-urls.ts'
import { orderColumns } from './order-columns.tsx'
import { type OrderFilterName, OrderFilters, orderFilterNames } from './order-filters.tsx'
import { OrderPanel } from './order-panel.tsx'
import { useOpenOrder } from './use-open-order.ts'

type OrderListProps = {
  job: JobParams
  /** Fixed part of the filter: the view, the batch. */
  of: OrderFilter
  /** The filters available in this list. */
  filters: readonly OrderFilterName[]
  /** Actions for the selected orders. */
  bulk: (selection: OrderSelection, bulkActions: BulkActions) => ReactNode
  empty: ReactNode
  actions?: ReactNode
}

/** A list of orders with bulk actions and a side panel. */
export const OrderList = ({ job, of, filters, bulk, empty, actions }: OrderListProps) => {
  const { studioId, jobId } = job
  const { timeZone } = useStudio()
  const list = useList(orderFilterNames)
  const { currentPage, pageSize, sort, ...chosen } = list.query
  // The address may hold any text; the server rejects unknown values.
  const matching = { ...of, ...chosen } as OrderFilter // the server's struct validates values from the address
  const query = { ...matching, currentPage, pageSize, ...(sort && { sort }) }
  const result = useStaffQuery(listStaffOrders, { params: { studioId, jobId }, query })
  const page = result.data && toPage(result.data)
  const rows = page?.resultItems ?? []
  const total = page?.totalRecords ?? 0
  const selection = useOrderSelection(matching, { numbers: rows.map(({ orderNumber }) => orderNumber), total })
  const bulkActions = useBulkActions(job)
  const sidePanel = useOpenOrder()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the links do not depend on the render
  const columns = useMemo(
    () => orderColumns({ timeZone, urlOf: (number) => orderUrl(job, number), openInPanel: sidePanel.open }),
    [studioId, jobId, timeZone],
  )
  return (
    <>
      {bulkActions.result && (
        <BulkResultNotice job={job} result={bulkActions.result} onDismiss={bulkActions.dismissResult} />
      )}
      <ListScreen
        label="Orders"
        searchPlaceholder="Number, customer, e-mail or person"
        list={list}
        query={result}
        columns={columns}
        idOf={({ orderNumber }) => orderNumber}
        nameOf={({ orderNumber }) => orderNumber}
        filters={<OrderFilters list={list} names={filters} />}
        actions={actions}
        selection={{ ids: selection.ids, change: selection.change }}
        selectedCount={selection.count}
        bulkActions={
          <>
            {total > selection.ids.size && !selection.isAll && (
              <Button variant="quiet" size="sm" onClick={selection.selectAll}>
                Select all {total.toLocaleString('en-US')}
              </Button>
            )}
            {bulk(selection, bulkActions)}
          </>
        }
        openId={sidePanel.openNumber ?? undefined}
        sidePanel={
          sidePanel.openNumber !== null && (
            <OrderPanel
              key={sidePanel.openNumber}
              job={job}
              orderNumber={sidePanel.openNumber}
              onClose={sidePanel.close}
            />
          )
        }
        empty={empty}
      />
    </>
  )
}
