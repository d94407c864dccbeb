import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { Notice } from '#ui/feedback/notice.tsx'

/** Tells staff that the platform paused the processing of their images. Nothing if it did not. */
export const ProcessingPausedNotice = () => {
  const { isProcessingPaused = false } = useStudio()
  if (!isProcessingPaused) return null
  return (
    <Notice tone="attention" title="Processing is paused">
      The platform has paused the processing of this studio’s images for now. You can still upload; nothing is lost.
    </Notice>
  )
}
