import Images from 'lucide-react/icons/images'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { type JobParams, staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { listStaffGreenScreens } from '#contract/studio/green-screens.ts'
import { toPage } from '#domain/shared/paging.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { TabLinks } from '#ui/navigation/tabs.tsx'
import { GreenScreenItem } from './green-screen-item.tsx'
import { GreenScreenUploadButton } from './green-screen-upload-button.tsx'
import styles from './green-screens.module.css'

/** Polling interval in milliseconds while a background is being processed. */
const refetchIntervalMs = 2000

/** The backgrounds of a job. Customers choose among the enabled ones. */
export const GreenScreensScreen = (job: JobParams) => {
  const { studioId, jobId } = job
  const params = { studioId, jobId }
  const initialQuery = useStaffQuery(listStaffGreenScreens, { params })
  const isProcessing =
    initialQuery.data !== undefined && toPage(initialQuery.data).resultItems.some(({ state }) => state === 'processing')
  const query = useStaffQuery(listStaffGreenScreens, {
    params,
    refetchIntervalMs: isProcessing ? refetchIntervalMs : undefined,
  })
  const links = [
    { label: 'Packages', href: staffUrls.job(job, 'packages'), current: false },
    { label: 'Green screens', href: staffUrls.job(job, 'packages/greenscreens'), current: true },
  ]
  return (
    <StaffScreen
      title="Green screens"
      lead={<p>Cut-out images are shown and printed on one of these.</p>}
      actions={<GreenScreenUploadButton job={job} />}
    >
      <TabLinks label="Packages" links={links} />
      <QueryBoundary query={query}>
        {(data) => {
          const screens = toPage(data).resultItems
          return screens.length === 0 ? (
            <EmptyState icon={Images} title="No backgrounds yet" action={<GreenScreenUploadButton job={job} />}>
              <p>Upload JPEG, PNG or WebP images, wide or tall: each print shows the middle.</p>
            </EmptyState>
          ) : (
            <ul className={styles.list}>
              {screens.map((screen, index) => (
                <GreenScreenItem
                  key={screen.id}
                  job={job}
                  screen={screen}
                  ids={screens.map(({ id }) => id)}
                  index={index}
                />
              ))}
            </ul>
          )
        }}
      </QueryBoundary>
    </StaffScreen>
  )
}
