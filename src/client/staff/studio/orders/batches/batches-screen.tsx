import { Link } from 'wouter'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { batchUrl, type JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { type Batch, listBatches } from '#contract/studio/batches.ts'
import { formatDate } from '#domain/shared/dates.ts'
import { toPage } from '#domain/shared/paging.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Price } from '#ui/price.tsx'
import { DataTable } from '#ui/table/data-table.tsx'
import styles from '../job-orders.module.css'
import { OrderViewLinks } from '../list/order-view-links.tsx'

const stateLabel = ({ state, closesOn }: Batch): string => {
  if (state === 'submitted') return 'With the lab'
  if (state === 'closed') return 'Closed'
  return closesOn ? `Open until ${formatDate(closesOn)}` : 'Open'
}

const columnsFor = (job: JobParams) =>
  [
    {
      id: 'name',
      header: 'Batch',
      cell: ({ id, name }: Batch) => (
        <Link className={styles.number} href={batchUrl(job, id)}>
          {name}
        </Link>
      ),
    },
    { id: 'state', header: 'State', cell: stateLabel },
    { id: 'orders', header: 'Orders', isNumber: true, cell: ({ orderCount }: Batch) => orderCount },
    { id: 'packages', header: 'Packages', isNumber: true, cell: ({ packageCount }: Batch) => packageCount },
    {
      id: 'awaiting',
      header: 'Orders without images',
      isNumber: true,
      cell: ({ awaitingPoses }: Batch) => awaitingPoses,
    },
    { id: 'total', header: 'Total', isNumber: true, cell: ({ totalCents }: Batch) => <Price cents={totalCents} /> },
  ] as const

/** The batches of a job: orders that ship to the studio together. */
export const BatchesScreen = (job: JobParams) => {
  const { studioId, jobId } = job
  const query = useStaffQuery(listBatches, { params: { studioId, jobId } })
  return (
    <StaffScreen title="Batches">
      <OrderViewLinks job={job} current="batch" />
      <QueryBoundary query={query}>
        {(data) => {
          const batches = toPage<Batch>(data).resultItems
          if (batches.length === 0)
            return (
              <EmptyState title="No batch yet">
                <p>A batch opens with the first order that ships to the studio.</p>
              </EmptyState>
            )
          return (
            <DataTable
              label="Batches"
              columns={columnsFor(job)}
              rows={batches}
              idOf={({ id }) => String(id)}
              nameOf={({ name }) => name}
            />
          )
        }}
      </QueryBoundary>
    </StaffScreen>
  )
}
