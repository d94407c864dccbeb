import { StaffScreen } from '../../staff/staff-screen.tsx'
import type { JobPlace } from '../../staff/staff-urls.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { OrderList } from './order-list.tsx'
import { SubmitButton } from './submit-button.tsx'
import { ViewLinks } from './view-links.tsx'

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
