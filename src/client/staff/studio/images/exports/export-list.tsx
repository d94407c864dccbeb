import Download from 'lucide-react/icons/download'
import { useState } from 'react'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { formatCount, formatMoment } from '#client/staff/kit/screen/format.ts'
import {
  getImageExportFile,
  type ImageExport,
  listImageExports,
  retryImageExport,
} from '#contract/studio/portraits/image-exports.ts'
import { toPage } from '#domain/shared/paging.ts'
import { Button } from '#ui/button/button.tsx'
import { formatLabels } from './export-form-parts.ts'
import styles from './exports.module.css'

/** Polling interval in milliseconds while an export is being made. */
const refetchIntervalMs = 2_000

const isInProgress = ({ state }: ImageExport): boolean => state === 'waiting' || state === 'making'

const exportStatus = (
  { state, filesDone, filesTotal, error, expiresAt }: ImageExport,
  formatInstant: (instant: string) => string,
): string => {
  if (state === 'failed') return error ?? 'The files could not be made'
  if (state === 'expired') return 'Its files were removed'
  if (state === 'waiting') return 'Its files will be ready in a moment'
  const count = `${formatCount(filesDone)} of ${formatCount(filesTotal)} images`
  if (state === 'making') return `${count} made`
  return expiresAt === null ? count : `${count}, until ${formatInstant(expiresAt)}`
}

const ExportItem = ({ job: { studioId, jobId }, item }: { job: JobParams; item: ImageExport }) => {
  const { id, volume, format, state, madeAt, madeBy, filesDone, filesTotal } = item
  const { timeZone } = useStudio()
  const retry = useStaffMutation(retryImageExport)
  const openFile = useStaffMutation(getImageExportFile)
  const params = { studioId, jobId, exportId: id }
  const download = async () => {
    const answer = await openFile.mutate({ params })
    if (answer.ok) window.location.assign(answer.data.zipUrl)
  }
  return (
    <li className={styles.export}>
      <div className={styles.facts}>
        <strong>
          {volume} · {formatLabels[format]}
        </strong>
        <span className={styles.soft}>
          {formatMoment(madeAt, timeZone)}
          {madeBy && ` · ${madeBy}`}
        </span>
        <span className={state === 'failed' ? styles.error : undefined}>
          {exportStatus(item, (instant) => formatMoment(instant, timeZone))}
        </span>
        {isInProgress(item) && (
          <progress value={filesDone} max={Math.max(filesTotal, 1)} aria-label={`${volume}, export ${id}`} />
        )}
      </div>
      {state === 'ready' && (
        <Button
          variant="secondary"
          size="sm"
          icon={Download}
          loading={openFile.busy}
          aria-label={`Download ${volume}, export ${id}`}
          onClick={() => void download()}
        >
          Download
        </Button>
      )}
      {state === 'failed' && (
        <Button size="sm" loading={retry.busy} onClick={() => void retry.mutate({ params })}>
          Retry
        </Button>
      )}
    </li>
  )
}

/** Number of exports that are listed before "Show all". */
const initialPageSize = 5

/** The exports of a job, newest first. Polls while one is being made. */
export const ExportList = ({ job }: { job: JobParams }) => {
  const [pageSize, setPageSize] = useState(initialPageSize)
  const [isIdle, setIdle] = useState(false)
  const { data } = useStaffQuery(listImageExports, {
    params: { studioId: job.studioId, jobId: job.jobId },
    query: { currentPage: 1, pageSize },
    refetchIntervalMs: isIdle ? undefined : refetchIntervalMs,
  })
  const page = data && toPage<ImageExport>(data)
  const areAllMade = page !== undefined && !page.resultItems.some(isInProgress)
  if (areAllMade !== isIdle) setIdle(areAllMade)
  if (!page || page.totalRecords === 0) return null
  return (
    <section aria-labelledby="exports" className={styles.section}>
      <h2 id="exports">Exports</h2>
      <ul className={styles.exports}>
        {page.resultItems.map((item) => (
          <ExportItem key={item.id} job={job} item={item} />
        ))}
      </ul>
      {page.resultItems.length < page.totalRecords && (
        <Button variant="quiet" size="sm" onClick={() => setPageSize(100)}>
          Show all {page.totalRecords}
        </Button>
      )}
    </section>
  )
}
