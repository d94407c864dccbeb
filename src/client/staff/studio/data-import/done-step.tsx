import { useState } from 'react'
import { useChange } from '#client/staff/kit/query/use-staff-mutation.ts'
import { type JobPlace, staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { type FullImport, undoImport } from '#contract/studio/imports.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { Notice } from '#ui/feedback/notice.tsx'
import styles from './data-import.module.css'
import { people, sumOf } from './import-labels.ts'
import { RowList } from './import-row-list.tsx'

type DoneStepProps = { place: JobPlace; given: FullImport; again: () => void }

const stays =
  'Whoever has pictures (or some on their way), an order, a package in a cart or a check-in by now, was marked on picture day, hidden, or had a name, student id, group or field changed, stays, and the list says why.'

/** What the undo does and what it leaves as it is. */
const question = ({ counts: { created, updated } }: FullImport): string =>
  [
    ...(created > 0
      ? [`${people(created)} this import added will be removed, with their fields and access codes. ${stays}`]
      : []),
    ...(updated > 0
      ? [
          `${people(updated)} it changed will be as they were before it; whoever was changed since, or whose student id or access code is somebody else’s by now, stays as they are now.`,
        ]
      : []),
    'Groups this import added are removed if they are empty. If nobody of an imported list is left, customers type in their child themselves.',
  ].join(' ')

/** What happened, row by row, and the way back. */
export const DoneStep = ({ place, given, again }: DoneStepProps) => {
  const undo = useChange(undoImport)
  const [errors, setErrors] = useState<readonly string[]>([])
  const { studioId, jobId } = place
  const isDone = given.state === 'done'
  const isBackable = isDone && given.counts.created + given.counts.updated > 0
  const takeBack = async (): Promise<void> => {
    const asked = {
      title: 'Take this import back?',
      message: question(given),
      confirmText: 'Take it back',
      danger: true,
    }
    if (!(await confirm(asked))) return
    const params = { studioId, jobId, importId: given.id }
    const answer = await undo.make({ params, body: { version: given.version } }, 'nobody')
    setErrors(answer.ok ? [] : answer.errors)
    if (!answer.ok && answer.problem === 'conflict') again()
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
            <ButtonLink variant="quiet" href={staffUrls.job(place, 'subjects')}>
              See the subjects
            </ButtonLink>
          </div>
        }
      >
        {sumOf(given)}
      </Notice>
      <div role="alert">{errors.length > 0 && <Notice tone="attention">{errors.join(' ')}</Notice>}</div>
      <RowList place={place} given={given} />
    </>
  )
}
