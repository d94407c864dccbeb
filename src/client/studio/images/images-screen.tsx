import { useJob, useStudio } from '../../staff/staff-context.ts'
import { StaffScreen } from '../../staff/staff-screen.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Pictures } from './pictures.tsx'
import { UploadPanel } from './upload-panel.tsx'
import { useImagesPerRow } from './use-images-per-row.ts'

/** The pictures of a job: uploaded, matched, cut out, published, put right. */
export const ImagesScreen = () => {
  const { id: studioId } = useStudio()
  const { id: jobId, organizationId } = useJob()
  const perRow = useImagesPerRow()
  return (
    <StaffScreen title="Images">
      {organizationId === null ? (
        <EmptyState title="This job is in no organization yet">
          <p>Choose its organization in the job’s settings; then pictures can be uploaded.</p>
        </EmptyState>
      ) : (
        <>
          <UploadPanel studioId={studioId} jobId={jobId} />
          <Pictures place={{ studioId, organizationId, jobId }} perRow={perRow} />
        </>
      )}
    </StaffScreen>
  )
}
