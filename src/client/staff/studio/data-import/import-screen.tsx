import { useState } from 'react'
import { Answered } from '#client/staff/kit/query/query-boundary.tsx'
import { useAnswer } from '#client/staff/kit/query/use-staff-query.ts'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { type JobPlace, staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { type FullImport, getImport } from '#contract/studio/imports.ts'
import { ColumnsStep } from './columns-step.tsx'
import { DoneStep } from './done-step.tsx'
import { momentIn } from './import-labels.ts'
import { PreviewStep } from './preview-step.tsx'
import { ProgressStep } from './progress-step.tsx'

/** So often is asked how far an import is, while it goes on. */
const lookMs = 700

type StepProps = { place: JobPlace; given: FullImport; again: () => void }

const Step = ({ place, given, again }: StepProps) => {
  // Whoever has seen the preview may go back to the columns; nothing is lost by it.
  const [isChoosing, setChoosing] = useState(false)
  const { state } = given
  if (state === 'running' || state === 'undoing') return <ProgressStep given={given} />
  if (state === 'done' || state === 'undone') return <DoneStep place={place} given={given} again={again} />
  if (state === 'mapping' || isChoosing)
    return <ColumnsStep place={place} given={given} again={again} onPreviewed={() => setChoosing(false)} />
  return <PreviewStep place={place} given={given} again={again} onColumns={() => setChoosing(true)} />
}

/** One list on its way into the job: its columns, what will happen, how far it is, what happened. */
export const ImportScreen = ({ place, importId }: { place: JobPlace; importId: number }) => {
  const { studioId, jobId } = place
  const { timeZone } = useStudio()
  const [everyMs, setEveryMs] = useState<number | undefined>()
  const reading = useAnswer(getImport, { params: { studioId, jobId, importId }, everyMs })
  const { data } = reading
  const wanted = data?.state === 'running' || data?.state === 'undoing' ? lookMs : undefined
  if (wanted !== everyMs) setEveryMs(wanted)
  const sent = data && `Sent ${data.madeBy ? `by ${data.madeBy} ` : ''}on ${momentIn(timeZone, data.createdAt)}`
  return (
    <StaffScreen
      title={data?.fileName ?? 'Data import'}
      trail={[{ label: 'Data import', href: staffUrls.job(place, 'data-import') }]}
      lead={sent}
    >
      <Answered reading={reading}>{(given) => <Step place={place} given={given} again={reading.again} />}</Answered>
    </StaffScreen>
  )
}
