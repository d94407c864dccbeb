import { useJob, useStudio } from '../../staff/staff-context.ts'
import { Pictures } from './pictures.tsx'
import { UploadPanel } from './upload-panel.tsx'
import { useImagesPerRow } from './use-images-per-row.ts'

/** The pictures of one person or group, for their own page: those they have, and more to be uploaded for them. */
export const OwnerImages = ({ owner }: { owner: { subjectId: number } | { groupId: number } }) => {
  const { id: studioId } = useStudio()
  const { id: jobId, organizationId } = useJob()
  const perRow = useImagesPerRow()
  if (organizationId === null) return null
  return (
    <>
      <UploadPanel studioId={studioId} jobId={jobId} owner={owner} />
      <Pictures place={{ studioId, organizationId, jobId }} perRow={perRow} owner={owner} />
    </>
  )
}
