import { useState } from 'react'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { type JobParams, staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { getImport, type ImportDetails } from '#contract/studio/imports.ts'
import { ColumnsStep } from './columns-step.tsx'
import { DoneStep } from './done-step.tsx'
import { formatImportTime } from './import-labels.ts'
import { PreviewStep } from './preview-step.tsx'
import { ProgressStep } from './progress-step.tsx'

/** Polling interval in milliseconds while the import runs. */
const pollingIntervalMs = 700

type StepProps = { job: JobParams; details: ImportDetails; refetch: () => void }

const Step = ({ job, details, refetch }: StepProps) => {
  // The user may return from the preview to the columns; the preview stays valid.
  const [isChoosing, setChoosing] = useState(false)
  const { state } = details
  if (state === 'running' || state === 'undoing') return <ProgressStep details={details} />
  if (state === 'done' || state === 'undone') return <DoneStep job={job} details={details} refetch={refetch} />
  if (state === 'mapping' || isChoosing)
    return <ColumnsStep job={job} details={details} refetch={refetch} onPreviewed={() => setChoosing(false)} />
  return <PreviewStep job={job} details={details} refetch={refetch} onColumns={() => setChoosing(true)} />
}

/** One import: columns, preview, progress and result. */
export const ImportScreen = ({ job, importId }: { job: JobParams; importId: number }) => {
  const { studioId, jobId } = job
  const { timeZone } = useStudio()
  const [everyMs, setEveryMs] = useState<number | undefined>()
  const query = useStaffQuery(getImport, { params: { studioId, jobId, importId }, refetchIntervalMs: everyMs })
  const { data } = query
  const pollingMs = data?.state === 'running' || data?.state === 'undoing' ? pollingIntervalMs : undefined
  if (pollingMs !== everyMs) setEveryMs(pollingMs)
  const sent = data && `Sent ${data.madeBy ? `by ${data.madeBy} ` : ''}on ${formatImportTime(timeZone, data.createdAt)}`
  return (
    <StaffScreen
      title={data?.fileName ?? 'Data import'}
      trail={[{ label: 'Data import', href: staffUrls.job(job, 'data-import') }]}
      lead={sent}
    >
      <QueryBoundary query={query}>
        {(details) => <Step job={job} details={details} refetch={query.refetch} />}
      </QueryBoundary>
    </StaffScreen>
  )
}
