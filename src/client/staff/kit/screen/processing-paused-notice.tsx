import { Link } from 'wouter'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { useIsAdministrator } from '#client/staff/kit/session/current-session.ts'
import { Notice } from '#ui/feedback/notice.tsx'

/** Tells staff that the platform paused the processing of their images. Nothing if it did not. Administrators can go to resume it. */
export const ProcessingPausedNotice = () => {
  const { id, isProcessingPaused = false } = useStudio()
  const isAdministrator = useIsAdministrator()
  if (!isProcessingPaused) return null
  return (
    <Notice
      tone="attention"
      title="Processing is paused"
      action={
        isAdministrator && (
          <Link href={staffUrls.admin(`system/galleries-processing?studioId=${id}`)}>Open its processing</Link>
        )
      }
    >
      The platform has paused the processing of this studio’s images for now. You can still upload; nothing is lost.
    </Notice>
  )
}
