import { type ReactNode, useId, useState } from 'react'
import type { AnyCall, Shape } from '#contract/shapes/call.ts'
import { type Page, toPage } from '#domain/shared/paging.ts'
import { Button } from '#ui/button/button.tsx'
import { useStaffQuery } from '../query/use-staff-query.ts'
import { useStudio } from '../routing/staff-context.ts'
import type { JobParams } from '../routing/staff-urls.ts'
import { formatMoment } from '../screen/format.ts'
import styles from './made-files.module.css'

/** Files that the server makes in the background: those of a packet or of an export. */
type MadeFiles = {
  id: number
  state: string
  filesDone: number
  filesTotal: number
  madeAt: string
  madeBy: string | null
}

/** Polling interval in milliseconds while files are being made. */
const refetchIntervalMs = 2_000

/** Number of entries that are listed before "Show all". */
const initialPageSize = 5

const isInProgress = ({ state }: MadeFiles): boolean => state === 'waiting' || state === 'making'

type MadeFilesListProps<Row> = {
  heading: string
  /** Lists the files of a job, newest first. */
  call: Omit<AnyCall, 'answer'> & { answer: Shape<Row[] | Page<Row>> }
  job: JobParams
  /** Renders a `MadeFilesItem`. */
  children: (row: Row) => ReactNode
}

/** The files made for a job, newest first. Polls while some are being made. */
export const MadeFilesList = <Row extends MadeFiles>({ heading, call, job, children }: MadeFilesListProps<Row>) => {
  const headingId = useId()
  const [pageSize, setPageSize] = useState(initialPageSize)
  const { data } = useStaffQuery<typeof call>(call, {
    params: { studioId: job.studioId, jobId: job.jobId },
    query: { currentPage: 1, pageSize },
    refetchIntervalMs: (list) => (list && !toPage(list).resultItems.some(isInProgress) ? undefined : refetchIntervalMs),
  })
  const page = data && toPage(data)
  if (!page || page.totalRecords === 0) return null
  return (
    <section aria-labelledby={headingId} className={styles.section}>
      <h2 id={headingId}>{heading}</h2>
      <ul>{page.resultItems.map(children)}</ul>
      {page.resultItems.length < page.totalRecords && (
        <Button variant="quiet" size="sm" onClick={() => setPageSize(100)}>
          Show all {page.totalRecords}
        </Button>
      )}
    </section>
  )
}

type MadeFilesItemProps = {
  files: MadeFiles
  title: string
  /** What the files are for, before the time and the user. */
  detail?: string
  status: string
  /** The accessible name of the progress. */
  progressLabel: string
  /** The buttons. */
  children: ReactNode
}

/** An entry of a `MadeFilesList`: its facts, its progress and its buttons. */
export const MadeFilesItem = ({ files, title, detail, status, progressLabel, children }: MadeFilesItemProps) => {
  const { timeZone } = useStudio()
  const { state, filesDone, filesTotal, madeAt, madeBy } = files
  return (
    <li className={styles.item}>
      <div className={styles.facts}>
        <strong>{title}</strong>
        <span className={styles.soft}>
          {[detail, formatMoment(madeAt, timeZone), madeBy].filter(Boolean).join(' · ')}
        </span>
        <span className={state === 'failed' ? styles.error : undefined}>{status}</span>
        {isInProgress(files) && <progress value={filesDone} max={Math.max(filesTotal, 1)} aria-label={progressLabel} />}
      </div>
      <div className={styles.buttons}>{children}</div>
    </li>
  )
}
