import { useJob, useStudio } from '../../staff/staff-context.ts'
import { usePreferences } from '../../staff/use-preferences.ts'
import { Pictures } from './pictures.tsx'
import { UploadPanel } from './upload-panel.tsx'

/** The pictures of one person or group, for their own page: those they have, and more to be uploaded for them. */
export const OwnerImages = ({ owner }: { owner: { subjectId: number } | { groupId: number } }) => {
  const { id: studioId } = useStudio()
  const { id: jobId, organizationId } = useJob()
  const { preferences } = usePreferences()
  if (organizationId === null) return null
  return (
    <>
      <UploadPanel studioId={studioId} jobId={jobId} owner={owner} />
      <Pictures place={{ studioId, organizationId, jobId }} perRow={preferences.buildImagesPerRow} owner={owner} />
    </>
  )
}
