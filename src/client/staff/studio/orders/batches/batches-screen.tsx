import { Link } from 'wouter'
import { Answered } from '#client/staff/kit/query/query-boundary.tsx'
import { useAnswer } from '#client/staff/kit/query/use-staff-query.ts'
import type { JobPlace } from '#client/staff/kit/routing/staff-urls.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { type Batch, listBatches } from '#contract/studio/batches.ts'
import { showDate } from '#domain/shared/dates.ts'
import { pageIn } from '#domain/shared/paging.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Price } from '#ui/price.tsx'
import { DataTable } from '#ui/table/data-table.tsx'
import styles from '../job-orders.module.css'
import { ViewLinks } from '../list/order-view-links.tsx'
import { batchUrl } from '../order-urls.ts'

const stateOf = ({ state, closesOn }: Batch): string => {
  if (state === 'submitted') return 'With the lab'
  if (state === 'closed') return 'Closed'
  return closesOn ? `Open until ${showDate(closesOn)}` : 'Open'
}

const columnsFor = (job: JobPlace) =>
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
    { id: 'state', header: 'State', cell: stateOf },
    { id: 'orders', header: 'Orders', isNumber: true, cell: ({ orderCount }: Batch) => orderCount },
    { id: 'packages', header: 'Packages', isNumber: true, cell: ({ packageCount }: Batch) => packageCount },
    { id: 'awaiting', header: 'Without pictures', isNumber: true, cell: ({ awaitingPoses }: Batch) => awaitingPoses },
    { id: 'total', header: 'Total', isNumber: true, cell: ({ totalCents }: Batch) => <Price cents={totalCents} /> },
  ] as const

/** Orders that go to the studio together, batch by batch. */
export const BatchesScreen = (job: JobPlace) => {
  const { studioId, jobId } = job
  const reading = useAnswer(listBatches, { params: { studioId, jobId } })
  return (
    <StaffScreen title="Batches">
      <ViewLinks job={job} current="batch" />
      <Answered reading={reading}>
        {(data) => {
          const batches = pageIn<Batch>(data).resultItems
          if (batches.length === 0)
            return (
              <EmptyState title="No batch yet">
                <p>The first order that ships to the studio opens one; the others join it until it closes.</p>
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
      </Answered>
    </StaffScreen>
  )
}
