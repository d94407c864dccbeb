import { useState } from 'react'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { type JobParams, staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { type ImportDetails, undoImport } from '#contract/studio/imports.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { Notice } from '#ui/feedback/notice.tsx'
import styles from './data-import.module.css'
import { formatSubjectCount, importSummary } from './import-labels.ts'
import { ImportRowList } from './import-row-list.tsx'

type DoneStepProps = { job: JobParams; details: ImportDetails; refetch: () => void }

const keptSubjectsNote =
  'Whoever has pictures (or some on their way), an order, a package in a cart or a check-in by now, was marked on picture day, hidden, or had a name, student id, group or field changed, stays, and the list says why.'

/** Explains what the undo does and what it leaves unchanged. */
const undoMessage = ({ counts: { created, updated } }: ImportDetails): string =>
  [
    ...(created > 0
      ? [
          `${formatSubjectCount(created)} this import added will be removed, with their fields and access codes. ${keptSubjectsNote}`,
        ]
      : []),
    ...(updated > 0
      ? [
          `${formatSubjectCount(updated)} it changed will be as they were before it; whoever was changed since, or whose student id or access code is somebody else’s by now, stays as they are now.`,
        ]
      : []),
    'Groups this import added are removed if they are empty. If nobody of an imported list is left, customers type in their child themselves.',
  ].join(' ')

/** Result of the import, row by row, with the undo. */
export const DoneStep = ({ job, details, refetch }: DoneStepProps) => {
  const undo = useStaffMutation(undoImport)
  const [errors, setErrors] = useState<readonly string[]>([])
  const { studioId, jobId } = job
  const isDone = details.state === 'done'
  const isBackable = isDone && details.counts.created + details.counts.updated > 0
  const takeBack = async (): Promise<void> => {
    const question = {
      title: 'Take this import back?',
      message: undoMessage(details),
      confirmText: 'Take it back',
      danger: true,
    }
    if (!(await confirm(question))) return
    const params = { studioId, jobId, importId: details.id }
    const answer = await undo.mutate({ params, body: { version: details.version } }, { onError: 'silent' })
    setErrors(answer.ok ? [] : answer.errors)
    if (!answer.ok && answer.problem === 'conflict') refetch()
  }
  return (
    <>
      <Notice
        tone="success"
        title={isDone ? 'The list is imported' : 'The import is taken back'}
        action={
          <div className={styles.actions}>
            {isBackable && (
              <Button variant="secondary" loading={undo.busy} onClick={() => void takeBack()}>
                Undo this import
              </Button>
            )}
            <ButtonLink variant="quiet" href={staffUrls.job(job, 'subjects')}>
              See the subjects
            </ButtonLink>
          </div>
        }
      >
        {importSummary(details)}
      </Notice>
      <div role="alert">{errors.length > 0 && <Notice tone="attention">{errors.join(' ')}</Notice>}</div>
      <ImportRowList job={job} details={details} />
    </>
  )
}
