import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { pathOf } from '#contract/shapes/call.ts'
import { getMatchRun, type MatchRun } from '#contract/studio/images/image-matching.ts'
import { toast } from '#ui/toast/toast.ts'
import styles from './images.module.css'
import type { ImageParams } from './use-image-list.ts'

/** Polling interval in milliseconds while a match run is in progress. */
const refetchIntervalMs = 2000

const resultMessage = ({ matched, unclear, unknown }: MatchRun): string =>
  `${matched} matched, ${unclear} unclear, ${unknown} unknown`

const failureMessage = 'Matching stopped early. Try again'

/** The job's last match run, polled while it runs. Each change of the run refetches all other queries; a toast shows its result. */
export const useMatchRun = (job: ImageParams): MatchRun | undefined => {
  const client = useQueryClient()
  const { data } = useStaffQuery(getMatchRun, { params: job })
  const run = data?.run ?? undefined
  const runPath = pathOf(getMatchRun, job, {})
  const isRunning = run?.state === 'running'
  useStaffQuery(getMatchRun, {
    params: job,
    enabled: isRunning,
    refetchIntervalMs: isRunning ? refetchIntervalMs : undefined,
  })
  // Id of the last finished run, which needs no toast. 0 if there is none; undefined before the first response.
  const reportedRunId = useRef<number | undefined>(undefined)
  useEffect(() => {
    if (data === undefined) return
    const finishedRun = data.run && data.run.state !== 'running' ? data.run : undefined
    // A run that had finished before this screen opened shows no toast.
    if (reportedRunId.current === undefined) {
      reportedRunId.current = finishedRun?.id ?? 0
      return
    }
    if (data.run === null || finishedRun?.id === reportedRunId.current) return
    if (finishedRun) {
      reportedRunId.current = finishedRun.id
      if (finishedRun.state === 'failed') toast(failureMessage, 'error')
      else toast(resultMessage(finishedRun), finishedRun.matched > 0 ? 'success' : 'info')
    }
    // Refetching the run itself here would start the next poll immediately.
    void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== runPath })
  }, [client, data, runPath])
  return run
}

/** Progress of a match run on the server, or the result of the last one. */
export const MatchProgress = ({ run }: { run: MatchRun }) =>
  run.state === 'running' ? (
    <section className={styles.matching} aria-label="Matching images">
      <progress className={styles.progress} value={run.done} max={Math.max(1, run.total)} aria-label="Images matched" />
      <p role="status" className="tabular">
        Matching… {run.done} of {run.total} checked. You can leave this page: matching continues.
      </p>
    </section>
  ) : (
    <p className={styles.reason}>
      Last time: {[resultMessage(run), ...(run.state === 'failed' ? [failureMessage] : [])].join('. ')}
    </p>
  )
