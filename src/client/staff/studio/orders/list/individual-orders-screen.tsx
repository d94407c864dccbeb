import type { JobPlace } from '#client/staff/kit/routing/staff-urls.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { SubmitButton } from '../bulk/submit-orders-button.tsx'
import { OrderList } from './order-list.tsx'
import { ViewLinks } from './order-view-links.tsx'

/** Orders that are in no batch and wait for the lab. */
export const IndividualScreen = (job: JobPlace) => (
  <StaffScreen title="Individual orders">
    <ViewLinks job={job} current="individual" />
    <OrderList
      job={job}
      of={{ view: 'individual' }}
      filters={['method', 'waiting']}
      bulk={(picked, many) => <SubmitButton picked={picked} many={many} />}
      empty={
        <EmptyState title="Nothing waits here">
          <p>Orders that go home, or by themselves, stand here until you submit them to the lab.</p>
        </EmptyState>
      }
    />
  </StaffScreen>
)
