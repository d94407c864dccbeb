import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { getMatchRun, type MatchRun } from '#contract/studio/image-matching.ts'
import { toast } from '#ui/toast/toast.ts'
import type { ImageParams } from './image-params.ts'
import styles from './images.module.css'

/** Polling interval in milliseconds while a match run is in progress. */
const refetchIntervalMs = 2000

const counted = ({ matched, unclear, unknown }: MatchRun): string =>
  `${matched} matched, ${unclear} unclear, ${unknown} unknown`

const failed = 'Matching stopped before its end. Try again'

/** The job's last match run, polled while it runs. When it ends, the image lists are refetched and a toast shows the result. */
export const useMatchRun = (job: ImageParams): MatchRun | undefined => {
  const client = useQueryClient()
  const { data } = useStaffQuery(getMatchRun, { params: job })
  const run = data?.run ?? undefined
  const isRunning = run?.state === 'running'
  useStaffQuery(getMatchRun, {
    params: job,
    enabled: isRunning,
    refetchIntervalMs: isRunning ? refetchIntervalMs : undefined,
  })
  const told = useRef<number | undefined>(undefined)
  useEffect(() => {
    if (data === undefined) return
    const ended = data.run && data.run.state !== 'running' ? data.run : undefined
    // A run that had ended before this screen opened shows no toast.
    if (told.current === undefined) {
      told.current = ended?.id ?? 0
      return
    }
    if (data.run === null || ended?.id === told.current) return
    if (ended) {
      told.current = ended.id
      if (ended.state === 'failed') toast(failed, 'error')
      else toast(counted(ended), ended.matched > 0 ? 'success' : 'info')
    }
    void client.invalidateQueries()
  }, [client, data])
  return run
}

/** Progress of a match run on the server, or the result of the last one. */
export const MatchProgress = ({ run }: { run: MatchRun }) =>
  run.state === 'running' ? (
    <section className={styles.matching} aria-label="Matching pictures">
      <progress
        className={styles.progress}
        value={run.done}
        max={Math.max(1, run.total)}
        aria-label="Pictures matched"
      />
      <p role="status" className="tabular">
        Matching… {run.done} of {run.total} looked at. You may leave this page: it goes on by itself.
      </p>
    </section>
  ) : (
    <p className={styles.reason}>Last time: {[counted(run), ...(run.state === 'failed' ? [failed] : [])].join('. ')}</p>
  )
