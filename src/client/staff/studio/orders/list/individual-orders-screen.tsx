import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { SubmitOrdersButton } from '../bulk/submit-orders-button.tsx'
import { OrderList } from './order-list.tsx'
import { OrderViewLinks } from './order-view-links.tsx'

/** Orders that are in no batch and have not been submitted to the lab. */
export const IndividualOrdersScreen = (job: JobParams) => (
  <StaffScreen title="Individual orders">
    <OrderViewLinks job={job} current="individual" />
    <OrderList
      job={job}
      baseFilter={{ view: 'individual' }}
      filters={['method', 'waiting']}
      renderBulkActions={(selection, bulkActions) => (
        <SubmitOrdersButton selection={selection} bulkActions={bulkActions} />
      )}
      empty={
        <EmptyState title="No individual orders">
          <p>Orders outside a batch appear here until you submit them to the lab.</p>
        </EmptyState>
      }
    />
  </StaffScreen>
)
