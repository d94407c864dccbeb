import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { type JobParams, ordersUrl } from '#client/staff/kit/routing/staff-urls.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { type Batch, listBatches } from '#contract/studio/batches.ts'
import { toPage } from '#domain/shared/paging.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { OrderList } from '../list/order-list.tsx'
import { BatchBar } from './batch-bar.tsx'
import { RemoveFromBatchButton } from './remove-from-batch-button.tsx'

const BatchOrders = ({ job, batch }: { job: JobParams; batch: Batch }) => (
  <>
    <BatchBar job={job} batch={batch} />
    <OrderList
      job={job}
      baseFilter={{ batchId: batch.id }}
      filters={['waiting', 'state']}
      renderBulkActions={(selection) =>
        batch.state !== 'submitted' && <RemoveFromBatchButton job={job} selection={selection} />
      }
      empty={
        <EmptyState title="This batch is empty">
          <p>Orders that ship to the studio join the open batch.</p>
        </EmptyState>
      }
    />
  </>
)

/** A batch and its orders. It can be closed, reopened and submitted to the lab. */
export const BatchScreen = ({ batchId, ...job }: JobParams & { batchId: number }) => {
  const { studioId, jobId } = job
  const query = useStaffQuery(listBatches, { params: { studioId, jobId } })
  const batch = query.data && toPage<Batch>(query.data).resultItems.find(({ id }) => id === batchId)
  return (
    <StaffScreen title={batch?.name ?? 'Batch'} trail={[{ label: 'Batches', href: ordersUrl(job, 'batch') }]}>
      <QueryBoundary query={query}>
        {() => (batch ? <BatchOrders job={job} batch={batch} /> : <EmptyState title="Batch not found" />)}
      </QueryBoundary>
    </StaffScreen>
  )
}
