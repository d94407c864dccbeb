import { type ReactNode, useId, useState } from 'react'
import type { AnyCall, Shape } from '#contract/shapes/call.ts'
import { type Page, toPage } from '#domain/shared/paging.ts'
import { Button } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { QueryBoundary } from '../query/query-boundary.tsx'
import { useStaffQuery } from '../query/use-staff-query.ts'
import { useTimeZone } from '../routing/staff-context.ts'
import { formatMoment } from '../screen/format.ts'
import styles from './made-files.module.css'

/** Files that the server makes in the background: those of a packet or of an export, or the rows of a report. */
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

const isInProgress = ({ state }: Pick<MadeFiles, 'state'>): boolean => state === 'waiting' || state === 'making'

type MadeFilesListProps<Row> = {
  heading: string
  /** Lists the files, newest first. */
  call: Omit<AnyCall, 'answer'> & { answer: Shape<Row[] | Page<Row>> }
  /** The parameters of the call. */
  params: Readonly<Record<string, number>>
  /** Renders a `MadeFilesItem`. */
  children: (row: Row) => ReactNode
}

/** Files made in the background, newest first. Polls while some are being made. */
export const MadeFilesList = <Row extends Pick<MadeFiles, 'state'>>({
  heading,
  call,
  params,
  children,
}: MadeFilesListProps<Row>) => {
  const headingId = useId()
  const [pageSize, setPageSize] = useState(initialPageSize)
  const query = useStaffQuery<typeof call>(call, {
    params,
    query: { currentPage: 1, pageSize },
    refetchIntervalMs: (list) => (list && !toPage(list).resultItems.some(isInProgress) ? undefined : refetchIntervalMs),
  })
  const page = query.data && toPage(query.data)
  if (page ? page.totalRecords === 0 : !query.error) return null
  return (
    <section aria-labelledby={headingId} className={styles.section}>
      <h2 id={headingId}>{heading}</h2>
      <QueryBoundary query={query}>
        {(list) => (
          <>
            <ul>{toPage(list).resultItems.map(children)}</ul>
            {page && page.resultItems.length < page.totalRecords && (
              <Button variant="quiet" size="sm" onClick={() => setPageSize(100)}>
                Show all {page.totalRecords}
              </Button>
            )}
          </>
        )}
      </QueryBoundary>
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
  const timeZone = useTimeZone()
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

type DeleteMadeFilesProps = {
  /** What is deleted, such as an export or a file. */
  noun: string
  title: string
  onDelete: () => Promise<unknown>
}

/** A button that deletes made files, once that is confirmed. */
export const DeleteMadeFiles = ({ noun, title, onDelete }: DeleteMadeFilesProps) => {
  const [busy, setBusy] = useState(false)
  const remove = async () => {
    const message = `The ${noun} is removed for everyone.`
    if (!(await confirm({ title: `Delete “${title}”?`, message, confirmText: 'Delete', danger: true }))) return
    setBusy(true)
    await onDelete().finally(() => setBusy(false))
  }
  return (
    <Button variant="quiet" size="sm" aria-label={`Delete ${title}`} loading={busy} onClick={() => void remove()}>
      Delete
    </Button>
  )
}
