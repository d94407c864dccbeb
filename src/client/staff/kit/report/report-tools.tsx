import Download from 'lucide-react/icons/download'
import FolderClock from 'lucide-react/icons/folder-clock'
import { useState } from 'react'
import type { ReportFormat, ReportPage } from '#contract/system/reports.ts'
import { Menu } from '#ui/popover/menu.tsx'
import { toastError } from '#ui/toast/toast.ts'
import { useHiddenColumns } from '../list/use-hidden-columns.ts'
import type { QueryResult } from '../query/use-staff-query.ts'
import { type ReportFileCalls, ReportFiles } from './report-files.tsx'

type FileOptions = { format: ReportFormat; columns: string[] }

export type ReportToolsProps = {
  query: QueryResult<ReportPage>
  /** Saves the report with these columns; returns the messages if that failed. */
  onExport: (options: FileOptions) => Promise<string[] | undefined>
  files: ReportFileCalls
  /** Starts making the report's file in the background with these columns. */
  onStart: (options: FileOptions) => Promise<unknown>
}

/** A menu of the files of a report. A report that could not be loaded cannot be saved. */
export const ReportTools = ({ query: { data }, onExport, files, onStart }: ReportToolsProps) => {
  const hiddenColumns = useHiddenColumns()
  const [isListOpen, setListOpen] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const keys = data?.columns.map(({ key }) => key) ?? []
  const columns = keys.filter((key, index) => index === 0 || !hiddenColumns.ids.has(key))
  const hasRows = data !== undefined && data.totalRecords > 0
  const save = async (format: ReportFormat): Promise<void> => {
    setBusy(true)
    const errors = await onExport({ format, columns }).finally(() => setBusy(false))
    if (errors) toastError(errors)
  }
  const fileItem = (label: string, format: ReportFormat) => ({
    ...{ label, icon: Download, disabled: !hasRows || isBusy },
    onSelect: () => void save(format),
  })
  return (
    <>
      <Menu
        label={isBusy ? 'Exporting…' : 'Export'}
        variant="secondary"
        align="end"
        items={[
          fileItem('CSV', 'csv'),
          fileItem('Excel (XLSX)', 'xlsx'),
          'separator',
          { label: 'Large exports', icon: FolderClock, onSelect: () => setListOpen(true) },
        ]}
      />
      <ReportFiles
        calls={files}
        canStart={hasRows}
        onStart={(format) => onStart({ format, columns })}
        open={isListOpen}
        onClose={() => setListOpen(false)}
      />
    </>
  )
}
