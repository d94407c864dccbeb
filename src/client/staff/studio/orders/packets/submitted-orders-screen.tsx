import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { ProcessingPausedNotice } from '#client/staff/kit/screen/processing-paused-notice.tsx'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { Button } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { OrderList } from '../list/order-list.tsx'
import { OrderViewLinks } from '../list/order-view-links.tsx'
import { PacketList } from './packet-list.tsx'

/** Submitted orders: the lab's packets with their files, and the state of each order. */
export const SubmittedOrdersScreen = (job: JobParams) => (
  <StaffScreen title="Submitted orders">
    <OrderViewLinks job={job} current="submitted" />
    <ProcessingPausedNotice />
    <PacketList job={job} />
    <OrderList
      job={job}
      baseFilter={{ view: 'submitted' }}
      filters={['state']}
      renderBulkActions={(selection, bulkActions) => (
        <>
          <Button
            variant="secondary"
            size="sm"
            loading={bulkActions.busy}
            onClick={() => void bulkActions.moveTo(selection.selectedOrders, 'inProduction')}
          >
            In production
          </Button>
          <Button
            variant="secondary"
            size="sm"
            loading={bulkActions.busy}
            onClick={() => void bulkActions.moveTo(selection.selectedOrders, 'shipped')}
          >
            Shipped
          </Button>
        </>
      )}
      empty={
        <EmptyState title="The lab has nothing yet">
          <p>Orders appear here once you submit them, alone or as a batch, with the files made for them.</p>
        </EmptyState>
      }
    />
  </StaffScreen>
)
