import ImageUp from 'lucide-react/icons/image-up'
import { getOrderCounts } from '../../../contract/studio/order-lists.ts'
import { StaffScreen } from '../../staff/staff-screen.tsx'
import type { JobPlace } from '../../staff/staff-urls.ts'
import { useAnswer } from '../../staff/use-answer.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { OrderList } from './order-list.tsx'
import { rosterUrl } from './order-urls.ts'
import { PictureNotice } from './picture-notice.tsx'
import { SubmitButton } from './submit-button.tsx'
import { ViewLinks } from './view-links.tsx'

/** All orders of a job, as it takes them: before the picture day, or from the gallery where it takes no others. */
export const PrepayScreen = (job: JobPlace) => {
  const { studioId, jobId } = job
  const counts = useAnswer(getOrderCounts, { params: { studioId, jobId } }).data
  return (
    <StaffScreen
      title="Orders"
      actions={
        <ButtonLink variant="quiet" href={rosterUrl(job)}>
          Roster
        </ButtonLink>
      }
    >
      <ViewLinks job={job} current="prepay" />
      {counts && <PictureNotice counts={counts} />}
      <OrderList
        job={job}
        of={{ view: 'prepay' }}
        filters={['method', 'state', 'waiting']}
        bulk={(picked, many) => (
          <>
            <Button
              variant="secondary"
              size="sm"
              icon={ImageUp}
              loading={many.busy}
              onClick={() => void many.placePictures(picked.which)}
            >
              Place main pictures
            </Button>
            <SubmitButton picked={picked} many={many} />
          </>
        )}
        empty={
          <EmptyState title="No orders yet">
            <p>Orders stand here as soon as parents pay, or as you key them in from paper.</p>
          </EmptyState>
        }
      />
    </StaffScreen>
  )
}
