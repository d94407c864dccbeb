import { useState } from 'react'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { type JobParams, staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { formatSubjectCount } from '#client/staff/kit/screen/format.ts'
import { type ImportDetails, undoImport } from '#contract/studio/imports.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { Notice } from '#ui/feedback/notice.tsx'
import styles from './data-import.module.css'
import { importSummary } from './import-labels.ts'
import { ImportRowList } from './import-row-list.tsx'

type DoneStepProps = { job: JobParams; details: ImportDetails; refetch: () => void }

const keptSubjectsNote =
  'People who now have images or uploads, an order, a package in a cart or a check-in, or who were marked on picture day, hidden or edited, are kept; the list says why.'

/** The text of the confirmation: what the undo removes, restores and leaves unchanged. */
const undoMessage = ({ counts: { created, updated } }: ImportDetails): string =>
  [
    ...(created > 0
      ? [
          `${formatSubjectCount(created)} this import added will be removed, with their fields and access codes. ${keptSubjectsNote}`,
        ]
      : []),
    ...(updated > 0
      ? [
          `${formatSubjectCount(updated)} it changed will be restored, except those edited since or whose student id or access code someone else has now.`,
        ]
      : []),
    'Groups this import added are removed if they are empty. If no imported people are left, parents type in their child.',
  ].join(' ')

/** Result of the import for each row, with a button to undo the import. */
export const DoneStep = ({ job, details, refetch }: DoneStepProps) => {
  const undo = useStaffMutation(undoImport)
  const [errors, setErrors] = useState<readonly string[]>([])
  const { studioId, jobId } = job
  const isDone = details.state === 'done'
  const canUndo = isDone && details.counts.created + details.counts.updated > 0
  const undoAfterConfirmation = async (): Promise<void> => {
    const question = {
      title: 'Undo this import?',
      message: undoMessage(details),
      confirmText: 'Undo import',
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
        title={isDone ? 'The list is imported' : 'The import was undone'}
        action={
          <div className={styles.actions}>
            {canUndo && (
              <Button variant="secondary" loading={undo.busy} onClick={() => void undoAfterConfirmation()}>
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
