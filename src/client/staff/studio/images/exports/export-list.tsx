import { DownloadButton } from '#client/staff/kit/download/download-button.tsx'
import { DeleteMadeFiles, MadeFilesItem, MadeFilesList } from '#client/staff/kit/download/made-files.tsx'
import { authorizedRequest } from '#client/staff/kit/query/authorized-request.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { formatCount, formatMoment } from '#client/staff/kit/screen/format.ts'
import {
  deleteImageExport,
  getImageExportFile,
  type ImageExport,
  listImageExports,
  retryImageExport,
} from '#contract/studio/portraits/image-exports.ts'
import { Button } from '#ui/button/button.tsx'
import { formatLabels } from './export-form-parts.ts'

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
  const { id, volume, format, state } = item
  const { timeZone } = useStudio()
  const retry = useStaffMutation(retryImageExport)
  const { mutate: remove } = useStaffMutation(deleteImageExport)
  const params = { studioId, jobId, exportId: id }
  const download = async () => {
    const answer = await authorizedRequest(getImageExportFile, { params })
    if (!answer.ok) return answer.errors
    window.location.assign(answer.data.zipUrl)
    return undefined
  }
  return (
    <MadeFilesItem
      files={item}
      title={`${volume} · ${formatLabels[format]}`}
      status={exportStatus(item, (instant) => formatMoment(instant, timeZone))}
      progressLabel={`${volume}, export ${id}`}
    >
      {state === 'ready' && (
        <DownloadButton size="sm" aria-label={`Download ${volume}, export ${id}`} onDownload={download}>
          Download
        </DownloadButton>
      )}
      {state === 'failed' && (
        <Button size="sm" loading={retry.busy} onClick={() => void retry.mutate({ params })}>
          Retry
        </Button>
      )}
      {state !== 'making' && (
        <DeleteMadeFiles noun="export" title={`${volume}, export ${id}`} onDelete={() => remove({ params })} />
      )}
    </MadeFilesItem>
  )
}

/** The exports of a job, newest first. */
export const ExportList = ({ job }: { job: JobParams }) => (
  <MadeFilesList heading="Exports" call={listImageExports} params={{ studioId: job.studioId, jobId: job.jobId }}>
    {(item) => <ExportItem key={item.id} job={job} item={item} />}
  </MadeFilesList>
)
