import { DownloadButton } from '#client/staff/kit/download/download-button.tsx'
import { authorizedRequest } from '#client/staff/kit/query/authorized-request.ts'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { useTimeZone } from '#client/staff/kit/routing/staff-context.ts'
import { formatMoment } from '#client/staff/kit/screen/format.ts'
import { Panel } from '#client/staff/kit/screen/panel.tsx'
import {
  getStudioExport,
  getStudioExportFile,
  type StudioExport,
  startStudioExport,
} from '#contract/studio/studio-export.ts'
import { Button } from '#ui/button/button.tsx'

/** Polling interval in milliseconds while the export is being made. */
const refetchIntervalMs = 5_000

const exportStatus = (made: StudioExport, formatInstant: (instant: string) => string): string => {
  const { state, startedAt, startedBy, expiresAt } = made
  const start = `Started ${[formatInstant(startedAt), startedBy && `by ${startedBy}`].filter(Boolean).join(' ')}`
  if (state === 'failed') return `${start}. It could not be made. Please start another`
  if (state === 'making' || expiresAt === null) return `${start}. You get an email when it is ready`
  return `${start}. Ready until ${formatInstant(expiresAt)}`
}

const CurrentExport = ({ studioId, made }: { studioId: number; made: StudioExport }) => {
  const timeZone = useTimeZone()
  const download = async () => {
    const answer = await authorizedRequest(getStudioExportFile, { params: { studioId } })
    if (!answer.ok) return answer.errors
    window.location.assign(answer.data.zipUrl)
    return undefined
  }
  return (
    <>
      <p role="status">{exportStatus(made, (instant) => formatMoment(instant, timeZone))}</p>
      {made.state === 'ready' && (
        <div>
          <DownloadButton onDownload={download}>Download the ZIP file</DownloadButton>
        </div>
      )}
    </>
  )
}

/** The export of everything that the studio stores, for its owners. */
export const DataPanel = ({ studioId }: { studioId: number }) => {
  const query = useStaffQuery(getStudioExport, {
    params: { studioId },
    refetchIntervalMs: (data) => (data?.export?.state === 'making' ? refetchIntervalMs : undefined),
  })
  const { mutate, busy } = useStaffMutation(startStudioExport)
  return (
    <Panel
      title="Your data"
      lead="Everything the studio stores as one ZIP file: a table of each kind of record, and the images as uploaded."
    >
      <QueryBoundary query={query}>
        {({ export: made }) => (
          <>
            {made && <CurrentExport studioId={studioId} made={made} />}
            {made?.state !== 'making' && (
              <div>
                <Button variant="secondary" loading={busy} onClick={() => void mutate({ params: { studioId } })}>
                  {made ? 'Make a new export' : 'Export all data'}
                </Button>
              </div>
            )}
          </>
        )}
      </QueryBoundary>
    </Panel>
  )
}
