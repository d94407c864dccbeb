import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { formatMoment } from '#client/staff/kit/screen/format.ts'
import { type PausedStudio, resumeStudio } from '#contract/system/galleries-processing.ts'
import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { toast } from '#ui/toast/toast.ts'

/** The paused studios, each with a button that resumes it. Nothing if none is paused. */
export const PausedStudios = ({ studios }: { studios: readonly PausedStudio[] }) => {
  const resuming = useStaffMutation(resumeStudio)
  const resume = async (id: number, name: string) => {
    const answer = await resuming.mutate({ params: { id }, body: {} })
    if (answer.ok) toast(`“${name}” continues`, 'success')
  }
  return studios.map(({ studioId, studioName, reason, by, at }) => (
    <Notice
      key={studioId}
      tone="attention"
      title={`“${studioName}” is paused`}
      action={
        <Button variant="secondary" size="sm" loading={resuming.busy} onClick={() => void resume(studioId, studioName)}>
          Resume “{studioName}”
        </Button>
      }
    >
      By {by ?? 'someone'}, {formatMoment(at, undefined)}: {reason}
    </Notice>
  ))
}
