import { useState } from 'react'
import { useLocation } from 'wouter'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { type JobParams, staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { formatCount, formatSubjectCount } from '#client/staff/kit/screen/format.ts'
import { deleteImport, type ImportDetails, runImport } from '#contract/studio/imports.ts'
import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import styles from './data-import.module.css'
import { ImportRowList } from './import-row-list.tsx'

type PreviewStepProps = { job: JobParams; details: ImportDetails; refetch: () => void; onColumns: () => void }

const previewMessage = ({ counts: { create, update, refused } }: ImportDetails): string => {
  const effects = [
    ...(create > 0 ? [`${formatSubjectCount(create)} will be added`] : []),
    ...(update > 0 ? [`${formatSubjectCount(update)} will change`] : []),
  ]
  const summary = effects.length > 0 ? effects.join(', ') : 'Everyone in this list is already here'
  return refused > 0
    ? `${summary}; ${refused === 1 ? '1 row is' : `${refused} rows are`} refused and left out.`
    : `${summary}.`
}

/** Shows what the import would do with each row, before anything is written. */
export const PreviewStep = ({ job, details, refetch, onColumns }: PreviewStepProps) => {
  const run = useStaffMutation(runImport)
  const discard = useStaffMutation(deleteImport)
  const [, navigate] = useLocation()
  const [errors, setErrors] = useState<readonly string[]>([])
  const { studioId, jobId } = job
  const params = { studioId, jobId, importId: details.id }
  const changedCount = details.counts.create + details.counts.update
  const startImport = async (): Promise<void> => {
    const answer = await run.mutate({ params, body: { version: details.version } }, { onError: 'silent' })
    setErrors(answer.ok ? [] : answer.errors)
    if (!answer.ok && answer.problem === 'conflict') refetch()
  }
  const discardImport = async (): Promise<void> => {
    const answer = await discard.mutate({ params })
    if (answer.ok) navigate(staffUrls.job(job, 'data-import'))
  }
  return (
    <>
      <Notice tone={details.counts.refused > 0 ? 'attention' : 'info'} title="Nothing is imported yet">
        {previewMessage(details)}
      </Notice>
      {details.warned > 0 && (
        <Notice
          tone="attention"
          title={details.warned === 1 ? 'One row to check' : `${formatCount(details.warned)} rows to check`}
        >
          Some fields look like mistakes, such as an impossible birth date. They are imported as they are: fix the list
          and upload it again, or edit the person later.
        </Notice>
      )}
      <ImportRowList job={job} details={details} />
      <div role="alert">{errors.length > 0 && <Notice tone="attention">{errors.join(' ')}</Notice>}</div>
      <div className={styles.bar} data-actions>
        <Button variant="quiet" loading={discard.busy} onClick={() => void discardImport()}>
          Discard this list
        </Button>
        <Button variant="secondary" onClick={onColumns}>
          Change columns
        </Button>
        <Button loading={run.busy} disabled={changedCount === 0} onClick={() => void startImport()}>
          Import {formatSubjectCount(changedCount)}
        </Button>
      </div>
    </>
  )
}
