import ImageUp from 'lucide-react/icons/image-up'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { getOrderCounts } from '#contract/studio/order-lists.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { SubmitOrdersButton } from '../bulk/submit-orders-button.tsx'
import { rosterUrl } from '../order-urls.ts'
import { AwaitingImagesNotice } from './awaiting-images-notice.tsx'
import { OrderList } from './order-list.tsx'
import { OrderViewLinks } from './order-view-links.tsx'

/** All orders of a job. Shows prepay orders at first, or gallery orders if the job has no prepay. */
export const JobOrdersScreen = (job: JobParams) => {
  const { studioId, jobId } = job
  const counts = useStaffQuery(getOrderCounts, { params: { studioId, jobId } }).data
  return (
    <StaffScreen
      title="Orders"
      actions={
        <ButtonLink variant="quiet" href={rosterUrl(job)}>
          Roster
        </ButtonLink>
      }
    >
      <OrderViewLinks job={job} current="prepay" />
      {counts && <AwaitingImagesNotice counts={counts} />}
      <OrderList
        job={job}
        of={{ view: 'prepay' }}
        filters={['method', 'state', 'waiting']}
        bulk={(selection, bulkActions) => (
          <>
            <Button
              variant="secondary"
              size="sm"
              icon={ImageUp}
              loading={bulkActions.busy}
              onClick={() => void bulkActions.assignPrimaryImages(selection.which)}
            >
              Place main pictures
            </Button>
            <SubmitOrdersButton selection={selection} bulkActions={bulkActions} />
          </>
        )}
        empty={
          <EmptyState title="No orders yet">
            <p>Orders appear here as soon as parents pay, or when you enter them from paper.</p>
          </EmptyState>
        }
      />
    </StaffScreen>
  )
}
