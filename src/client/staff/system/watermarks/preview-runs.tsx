import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { Panel } from '#client/staff/kit/screen/panel.tsx'
import { cancelPreviewRun, listPreviewRuns, type PreviewRun, startPreviewRun } from '#contract/system/watermarks.ts'
import { Button } from '#ui/button/button.tsx'
import styles from './watermarks.module.css'

const activeIntervalMs = 1000
/** A change starts its runs a moment later. */
const idleIntervalMs = 5000

const isRunning = ({ state }: PreviewRun): boolean => state === 'running'

const states = { running: 'Changing previews', done: 'Done', cancelled: 'Cancelled' } as const

const resultOf = ({ state, total, done, failed }: PreviewRun): string => {
  const counts = `${done.toLocaleString('en-US')} of ${total.toLocaleString('en-US')}`
  const failures = failed > 0 ? `, ${failed.toLocaleString('en-US')} could not be changed` : ''
  return `${states[state]}: ${counts}${failures}`
}

const Run = ({ run }: { run: PreviewRun }) => {
  const cancellation = useStaffMutation(cancelPreviewRun)
  const start = useStaffMutation(startPreviewRun)
  const params = { id: run.studioId }
  const { studioName, total, done } = run
  return (
    <li className={styles.run}>
      <strong>{studioName}</strong>
      {isRunning(run) && (
        <progress
          className={styles.progress}
          value={done}
          max={Math.max(1, total)}
          aria-label={`Previews of ${studioName}`}
        />
      )}
      <span className="tabular">{resultOf(run)}</span>
      {isRunning(run) && (
        <Button variant="quiet" loading={cancellation.busy} onClick={() => void cancellation.mutate({ params })}>
          Cancel
        </Button>
      )}
      {run.state === 'cancelled' && (
        <Button variant="quiet" loading={start.busy} onClick={() => void start.mutate({ params })}>
          Continue
        </Button>
      )}
    </li>
  )
}

/** The progress of each studio's previews after a change. Nothing if no watermark was changed yet. */
export const PreviewRuns = () => {
  const { data: runs = [] } = useStaffQuery(listPreviewRuns, {
    refetchIntervalMs: (latest) => (latest?.some(isRunning) ? activeIntervalMs : idleIntervalMs),
  })
  if (runs.length === 0) return null
  return (
    <Panel
      title="Previews"
      lead="Parents see the earlier previews until the new ones are made. You can leave this page meanwhile."
    >
      <ul className={styles.runs}>
        {runs.map((run) => (
          <Run key={run.studioId} run={run} />
        ))}
      </ul>
    </Panel>
  )
}
