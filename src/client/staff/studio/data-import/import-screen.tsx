import { useState } from 'react'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { type JobParams, staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { formatCount, formatSubjectCount } from '#client/staff/kit/screen/format.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { getImport, type ImportDetails } from '#contract/studio/imports.ts'
import { ColumnsStep } from './columns-step.tsx'
import styles from './data-import.module.css'
import { DoneStep } from './done-step.tsx'
import { formatImportTime } from './import-labels.ts'
import { PreviewStep } from './preview-step.tsx'

/** Progress of an import or its undo. It continues on the server without this screen. */
const ProgressStep = ({ details: { state, rowsDone, rowsTotal } }: { details: ImportDetails }) => {
  const [verb, noun] = state === 'running' ? ['Importing', 'import'] : ['Undoing', 'undo']
  const label = `${verb} ${formatSubjectCount(rowsTotal)}`
  return (
    <section className={styles.progress} aria-label={label}>
      <h2>{label}…</h2>
      <progress className={styles.meter} value={rowsDone} max={rowsTotal} aria-label={label} />
      <p className="tabular" role="status">
        {formatCount(rowsDone)} of {formatCount(rowsTotal)}
      </p>
      <p className={styles.soft}>You can leave this page: the {noun} continues, and you find it under Data import.</p>
    </section>
  )
}

/** Polling interval in milliseconds while an import or its undo runs. */
const runningRefetchMs = 700

type StepProps = { job: JobParams; details: ImportDetails; refetch: () => void }

const Step = ({ job, details, refetch }: StepProps) => {
  // Set when the user returns from the preview to the columns.
  const [isEditingColumns, setEditingColumns] = useState(false)
  const { state } = details
  if (state === 'running' || state === 'undoing') return <ProgressStep details={details} />
  if (state === 'done' || state === 'undone') return <DoneStep job={job} details={details} refetch={refetch} />
  if (state === 'mapping' || isEditingColumns)
    return <ColumnsStep job={job} details={details} refetch={refetch} onPreviewed={() => setEditingColumns(false)} />
  return <PreviewStep job={job} details={details} refetch={refetch} onColumns={() => setEditingColumns(true)} />
}

/** One import: columns, preview, progress and result. */
export const ImportScreen = ({ job, importId }: { job: JobParams; importId: number }) => {
  const { studioId, jobId } = job
  const { timeZone } = useStudio()
  const query = useStaffQuery(getImport, {
    params: { studioId, jobId, importId },
    refetchIntervalMs: (details) =>
      details?.state === 'running' || details?.state === 'undoing' ? runningRefetchMs : undefined,
  })
  const { data } = query
  const sentLabel =
    data && `Sent ${data.madeBy ? `by ${data.madeBy} ` : ''}on ${formatImportTime(timeZone, data.createdAt)}`
  return (
    <StaffScreen
      title={data?.fileName ?? 'Data import'}
      trail={[{ label: 'Data import', href: staffUrls.job(job, 'data-import') }]}
      lead={sentLabel}
    >
      <QueryBoundary query={query}>
        {(details) => <Step job={job} details={details} refetch={query.refetch} />}
      </QueryBoundary>
    </StaffScreen>
  )
}
