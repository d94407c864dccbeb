import type { ReactNode } from 'react'
import { ListScreen } from '#client/staff/kit/list/list-screen.tsx'
import { useList } from '#client/staff/kit/list/use-list.ts'
import { useListSelection } from '#client/staff/kit/list/use-list-selection.ts'
import { useSidePanel } from '#client/staff/kit/list/use-side-panel.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { type JobParams, orderUrl } from '#client/staff/kit/routing/staff-urls.ts'
import { listStaffOrders, type OrderFilter } from '#contract/studio/order-lists.ts'
import { toPage } from '#domain/shared/paging.ts'
import { BulkResultNotice } from '../bulk/bulk-result.tsx'
import { type BulkActions, type OrderSelection, useBulkActions } from '../bulk/use-bulk-actions.ts'
import { orderColumns } from './order-columns.tsx'
import { type OrderFilterName, OrderFilters, orderFilterNames } from './order-filters.tsx'
import { OrderPanel } from './order-panel.tsx'

type OrderListProps = {
  job: JobParams
  /** Fixed part of the filter: the view or the batch. */
  baseFilter: OrderFilter
  /** The filters that the user can set in this list. */
  filters: readonly OrderFilterName[]
  /** Renders the actions for the selected orders. */
  renderBulkActions: (selection: OrderSelection, bulkActions: BulkActions) => ReactNode
  empty: ReactNode
}

/** A list of orders with bulk actions and a side panel. */
export const OrderList = ({ job, baseFilter, filters, renderBulkActions, empty }: OrderListProps) => {
  const { studioId, jobId } = job
  const { timeZone } = useStudio()
  const list = useList(orderFilterNames)
  const { currentPage, pageSize, sort, ...userFilter } = list.query
  const filter = { ...baseFilter, ...userFilter } as OrderFilter // the server's struct rejects unknown values from the URL
  const query = { ...filter, currentPage, pageSize, ...(sort && { sort }) }
  const result = useStaffQuery(listStaffOrders, { params: { studioId, jobId }, query })
  const page = result.data && toPage(result.data)
  const selectedRows = useListSelection(filter, {
    ids: page?.resultItems.map(({ orderNumber }) => orderNumber) ?? [],
    total: page?.totalRecords ?? 0,
  })
  const selection: OrderSelection = {
    ...selectedRows,
    selectedOrders: selectedRows.isAll ? { matching: filter } : { orderNumbers: [...selectedRows.ids] },
  }
  const bulkActions = useBulkActions(job)
  const sidePanel = useSidePanel(/^[\w-]{1,20}$/)
  const columns = orderColumns({ timeZone, urlOf: (number) => orderUrl(job, number), openInPanel: sidePanel.open })
  return (
    <>
      {bulkActions.result && (
        <BulkResultNotice job={job} result={bulkActions.result} onDismiss={bulkActions.dismissResult} />
      )}
      <ListScreen
        label="Orders"
        searchPlaceholder="Number, customer, email or person"
        list={list}
        query={result}
        columns={columns}
        idOf={({ orderNumber }) => orderNumber}
        nameOf={({ orderNumber }) => orderNumber}
        filters={<OrderFilters list={list} names={filters} />}
        selection={selection}
        bulkActions={renderBulkActions(selection, bulkActions)}
        openId={sidePanel.openId ?? undefined}
        sidePanel={
          sidePanel.openId !== null && (
            <OrderPanel key={sidePanel.openId} job={job} orderNumber={sidePanel.openId} onClose={sidePanel.close} />
          )
        }
        empty={empty}
      />
    </>
  )
}
