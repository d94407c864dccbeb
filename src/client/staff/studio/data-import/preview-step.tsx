import { useState } from 'react'
import { useLocation } from 'wouter'
import { useChange } from '#client/staff/kit/query/use-staff-mutation.ts'
import { type JobPlace, staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { deleteImport, type FullImport, runImport } from '#contract/studio/imports.ts'
import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import styles from './data-import.module.css'
import { count, people } from './import-labels.ts'
import { RowList } from './import-row-list.tsx'

type PreviewStepProps = { place: JobPlace; given: FullImport; again: () => void; onColumns: () => void }

const sentenceOf = ({ counts: { create, update, refused } }: FullImport): string => {
  const parts = [
    ...(create > 0 ? [`${people(create)} will be added`] : []),
    ...(update > 0 ? [`${people(update)} will change`] : []),
  ]
  const main = parts.length > 0 ? parts.join(', ') : 'Nothing in this list is not there already'
  return refused > 0
    ? `${main}; ${refused === 1 ? '1 row is' : `${refused} rows are`} refused and left out.`
    : `${main}.`
}

/** What will happen, row by row; nothing has happened yet. */
export const PreviewStep = ({ place, given, again, onColumns }: PreviewStepProps) => {
  const run = useChange(runImport)
  const discard = useChange(deleteImport)
  const [, navigate] = useLocation()
  const [errors, setErrors] = useState<readonly string[]>([])
  const { studioId, jobId } = place
  const params = { studioId, jobId, importId: given.id }
  const imported = given.counts.create + given.counts.update
  const start = async (): Promise<void> => {
    const answer = await run.make({ params, body: { version: given.version } }, 'nobody')
    setErrors(answer.ok ? [] : answer.errors)
    if (!answer.ok && answer.problem === 'conflict') again()
  }
  const throwAway = async (): Promise<void> => {
    const answer = await discard.make({ params })
    if (answer.ok) navigate(staffUrls.job(place, 'data-import'))
  }
  return (
    <>
      <Notice tone={given.counts.refused > 0 ? 'attention' : 'info'} title="Nothing is imported yet">
        {sentenceOf(given)}
      </Notice>
      {given.warned > 0 && (
        <Notice
          tone="attention"
          title={given.warned === 1 ? 'One row to check' : `${count(given.warned)} rows to check`}
        >
          Some fields look like mistakes, such as a birth date that is no date. They are imported as the list has them:
          correct them in the list and send it again, or in the person afterwards.
        </Notice>
      )}
      <RowList place={place} given={given} />
      <div role="alert">{errors.length > 0 && <Notice tone="attention">{errors.join(' ')}</Notice>}</div>
      <div className={styles.bar} data-actions>
        <Button variant="quiet" loading={discard.busy} onClick={() => void throwAway()}>
          Throw this list away
        </Button>
        <Button variant="secondary" onClick={onColumns}>
          Change columns
        </Button>
        <Button loading={run.busy} disabled={imported === 0} onClick={() => void start()}>
          Import {people(imported)}
        </Button>
      </div>
    </>
  )
}
