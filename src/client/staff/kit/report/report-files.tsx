import { useState } from 'react'
import type { Infer } from 'superstruct'
import type { AnyCall } from '#contract/shapes/call.ts'
import type { getReportFileLink, listReportFiles, ReportFile } from '#contract/system/report-files.ts'
import type { ReportFormat } from '#contract/system/reports.ts'
import type { CallResult } from '#local/transport/request.ts'
import { Button } from '#ui/button/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Field } from '#ui/form/field.tsx'
import { Select } from '#ui/form/select.tsx'
import { DownloadButton } from '../download/download-button.tsx'
import { DeleteMadeFiles, MadeFilesItem, MadeFilesList } from '../download/made-files.tsx'
import { useTimeZone } from '../routing/staff-context.ts'
import { formatCount, formatMoment } from '../screen/format.ts'
import styles from './report-screen.module.css'

/** The files of a studio's reports, or of those of the platform. */
export type ReportFileCalls = {
  list: Pick<typeof listReportFiles, 'answer'> & Omit<AnyCall, 'answer'>
  /** The parameters of the list. */
  params: Readonly<Record<string, number>>
  readLink: (id: number) => Promise<CallResult<Infer<(typeof getReportFileLink)['answer']>>>
  remove: (id: number) => Promise<unknown>
}

const statusOf = (
  { state, rowsDone, rowsTotal, error, expiresAt }: ReportFile,
  timeZone: string | undefined,
): string => {
  if (state === 'failed') return error ?? 'The file could not be made'
  if (state === 'waiting') return 'The file will be ready in a moment'
  if (state === 'making') return `${formatCount(rowsDone)} of ${formatCount(rowsTotal)} rows written`
  const rows = `${formatCount(rowsDone)} ${rowsDone === 1 ? 'row' : 'rows'}`
  return expiresAt === null ? rows : `${rows} · available until ${formatMoment(expiresAt, timeZone)}`
}

const ReportFileItem = ({ calls, file }: { calls: ReportFileCalls; file: ReportFile }) => {
  const timeZone = useTimeZone()
  const { id, fileName, state, rowsDone, rowsTotal } = file
  const download = async () => {
    const answer = await calls.readLink(id)
    if (!answer.ok) return answer.errors
    window.location.assign(answer.data.url)
    return undefined
  }
  return (
    <MadeFilesItem
      files={{ ...file, filesDone: rowsDone, filesTotal: rowsTotal }}
      title={fileName}
      status={statusOf(file, timeZone)}
      progressLabel={fileName}
    >
      {state === 'ready' && (
        <DownloadButton size="sm" aria-label={`Download ${fileName}`} onDownload={download}>
          Download
        </DownloadButton>
      )}
      <DeleteMadeFiles noun="file" title={fileName} onDelete={() => calls.remove(id)} />
    </MadeFilesItem>
  )
}

const formatOptions: { value: ReportFormat; label: string }[] = [
  { value: 'csv', label: 'CSV' },
  { value: 'xlsx', label: 'Excel (XLSX)' },
]

type ReportFilesProps = {
  calls: ReportFileCalls
  /** Whether the screen shows a report with rows. */
  canStart: boolean
  /** Starts the file of the report on the screen. */
  onStart: (format: ReportFormat) => Promise<unknown>
  open: boolean
  onClose: () => void
}

const StartFile = ({ canStart, onStart }: Pick<ReportFilesProps, 'canStart' | 'onStart'>) => {
  const [format, setFormat] = useState<ReportFormat>('csv')
  const [busy, setBusy] = useState(false)
  const start = async () => {
    setBusy(true)
    await onStart(format).finally(() => setBusy(false))
  }
  return (
    <div className={styles.choices}>
      <Field label="Format">
        <Select
          options={formatOptions}
          value={format}
          onValue={(value) => setFormat(value === 'xlsx' ? 'xlsx' : 'csv')}
        />
      </Field>
      <Button disabled={!canStart} loading={busy} onClick={() => void start()}>
        Make a file
      </Button>
    </div>
  )
}

/** A dialog of the files of reports that were made in the background, which makes one of the report on the screen. */
export const ReportFiles = ({ calls, canStart, onStart, open, onClose }: ReportFilesProps) => (
  <Dialog
    open={open}
    onClose={onClose}
    title="Large exports"
    description="Leave the screen while a file is made, and find it here for seven days."
  >
    <StartFile {...{ canStart, onStart }} />
    <MadeFilesList heading="Files" call={calls.list} params={calls.params}>
      {(file: ReportFile) => <ReportFileItem key={file.id} calls={calls} file={file} />}
    </MadeFilesList>
  </Dialog>
)
