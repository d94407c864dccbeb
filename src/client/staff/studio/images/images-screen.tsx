import { usePreferences } from '#client/staff/kit/query/use-preferences.ts'
import { useJob, useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { ImageBrowser } from './image-browser.tsx'
import { UploadPanel } from './upload-panel.tsx'

type ImagesScreenProps = {
  /** The subject or group, if the user came from its page. */
  owner?: { subjectId: number } | { groupId: number } | undefined
}

const titles = { person: 'Images of a person', group: 'Images of a group' } as const

const titleOf = (owner: ImagesScreenProps['owner']): string =>
  owner === undefined ? 'Images' : 'groupId' in owner ? titles.group : titles.person

/** Images of a job, or of one of its subjects or groups: upload, match, cut out, publish and correct. */
export const ImagesScreen = ({ owner }: ImagesScreenProps) => {
  const { id: studioId } = useStudio()
  const { id: jobId, organizationId, params: job } = useJob()
  const { preferences } = usePreferences()
  const all = { label: 'Images', href: staffUrls.job(job, 'images') }
  return (
    <StaffScreen title={titleOf(owner)} trail={owner ? [all] : []}>
      {organizationId === null ? (
        <EmptyState title="This job is in no organization yet">
          <p>Choose its organization in the job’s settings; then pictures can be uploaded.</p>
        </EmptyState>
      ) : (
        <>
          <UploadPanel studioId={studioId} jobId={jobId} {...(owner && { owner })} />
          <ImageBrowser
            job={{ studioId, organizationId, jobId }}
            perRow={preferences.buildImagesPerRow}
            {...(owner && { owner })}
          />
        </>
      )}
    </StaffScreen>
  )
}
