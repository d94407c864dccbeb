import ImageUp from 'lucide-react/icons/image-up'
import type { Infer } from 'superstruct'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { type JobParams, rosterUrl } from '#client/staff/kit/routing/staff-urls.ts'
import { formatOrderCount } from '#client/staff/kit/screen/format.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { getOrderCounts, type OrderCounts } from '#contract/studio/order-lists.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { SubmitOrdersButton } from '../bulk/submit-orders-button.tsx'
import { OrderList } from './order-list.tsx'
import { OrderViewLinks } from './order-view-links.tsx'

/** Shows how many orders have no images chosen yet. */
const AwaitingImagesNotice = ({ counts: { awaitingPoses } }: { counts: Infer<typeof OrderCounts> }) =>
  awaitingPoses > 0 && (
    <Notice>
      {formatOrderCount(awaitingPoses)} {awaitingPoses === 1 ? 'needs' : 'need'} images chosen. Parents are emailed once
      theirs are ready; select orders to place each child’s main image yourself.
    </Notice>
  )

/** The first view of a job's orders: its prepay orders, or its gallery orders if the job has no prepay. */
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
        baseFilter={{ view: 'prepay' }}
        filters={['method', 'state', 'waiting']}
        renderBulkActions={(selection, bulkActions) => (
          <>
            <Button
              variant="secondary"
              size="sm"
              icon={ImageUp}
              loading={bulkActions.busy}
              onClick={() => void bulkActions.assignPrimaryImages(selection.selectedOrders)}
            >
              Place main images
            </Button>
            <SubmitOrdersButton selection={selection} bulkActions={bulkActions} />
          </>
        )}
        empty={
          <EmptyState title="No orders yet">
            <p>Orders appear here once parents pay, or when you enter paper orders.</p>
          </EmptyState>
        }
      />
    </StaffScreen>
  )
}
