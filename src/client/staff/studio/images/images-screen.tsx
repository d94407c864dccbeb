import { usePreferences } from '#client/staff/kit/query/use-staff-query.ts'
import { useJob, useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { ProcessingPausedNotice } from '#client/staff/kit/screen/processing-paused-notice.tsx'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { ImageBrowser } from './image-browser.tsx'
import { ImageTabs } from './image-tabs.tsx'
import { UploadPanel } from './upload-panel.tsx'

type ImagesScreenProps = {
  /** The subject or group whose images are shown; all images of the job if undefined. */
  owner?: { subjectId: number } | { groupId: number } | undefined
}

const titleOf = (owner: ImagesScreenProps['owner']): string => {
  if (owner === undefined) return 'Images'
  return 'groupId' in owner ? 'Images of a group' : 'Images of a person'
}

/** Images of a job, or of one of its subjects or groups: upload, matching, cut-outs, publishing and corrections. */
export const ImagesScreen = ({ owner }: ImagesScreenProps) => {
  const { id: studioId } = useStudio()
  const { id: jobId, organizationId, params: job } = useJob()
  const { preferences } = usePreferences()
  const imagesCrumb = { label: 'Images', href: staffUrls.job(job, 'images') }
  return (
    <StaffScreen title={titleOf(owner)} trail={owner ? [imagesCrumb] : []}>
      {!owner && <ImageTabs current="images" />}
      <ProcessingPausedNotice />
      {organizationId === null ? (
        <EmptyState title="This job has no organization yet">
          <p>Choose one in the job’s settings; then you can upload images.</p>
        </EmptyState>
      ) : (
        <>
          <UploadPanel studioId={studioId} jobId={jobId} {...(owner && { owner })} />
          <ImageBrowser
            job={{ studioId, organizationId, jobId }}
            imagesPerRow={preferences.buildImagesPerRow}
            {...(owner && { owner })}
          />
        </>
      )}
    </StaffScreen>
  )
}
