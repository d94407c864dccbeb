import type { ReportFormat, ReportPage } from '#contract/system/reports.ts'
import { DownloadButton } from '../download/download-button.tsx'
import { useHiddenColumns } from '../list/use-hidden-columns.ts'
import type { QueryResult } from '../query/use-staff-query.ts'
import { type ReportFileCalls, ReportFiles } from './report-files.tsx'
import styles from './report-screen.module.css'

const fileFormats = ['csv', 'xlsx'] as const satisfies readonly ReportFormat[]

type FileOptions = { format: ReportFormat; columns: string[] }

export type ReportToolsProps = {
  query: QueryResult<ReportPage>
  /** Saves the report with these columns; returns the messages if that failed. */
  onExport: (options: FileOptions) => Promise<string[] | undefined>
  files: ReportFileCalls
  /** Starts making the report's file in the background with these columns. */
  onStart: (options: FileOptions) => Promise<unknown>
}

/** The buttons for the files of a report. A report that could not be loaded cannot be saved. */
export const ReportTools = ({ query: { data, error }, onExport, files, onStart }: ReportToolsProps) => {
  const hiddenColumns = useHiddenColumns()
  const keys = data?.columns.map(({ key }) => key) ?? []
  const columns = keys.filter((key, index) => index === 0 || !hiddenColumns.ids.has(key))
  const hasRows = data !== undefined && data.totalRecords > 0
  return (
    <>
      <ReportFiles calls={files} canStart={hasRows} onStart={(format) => onStart({ format, columns })} />
      {(data || !error) &&
        fileFormats.map((format) => (
          <DownloadButton
            key={format}
            className={styles.tool}
            disabled={!hasRows}
            onDownload={() => onExport({ format, columns })}
          >
            {format.toUpperCase()}
          </DownloadButton>
        ))}
    </>
  )
}
