import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { Panel } from '#client/staff/kit/screen/panel.tsx'
import { ProcessingPausedNotice } from '#client/staff/kit/screen/processing-paused-notice.tsx'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { getImageExportSetup } from '#contract/studio/portraits/image-exports.ts'
import { ImageTabs } from '../image-tabs.tsx'
import { ExportForm } from './export-form.tsx'
import { ExportList } from './export-list.tsx'

/** Exports of a job's images for yearbooks, ID cards and schools: settings with a preview, and the exports that were started. */
export const ExportsScreen = (job: JobParams) => {
  const query = useStaffQuery(getImageExportSetup, { params: { studioId: job.studioId, jobId: job.jobId } })
  return (
    <StaffScreen
      title="Image exports"
      lead={<p>Portraits cropped to the head, for yearbook publishers, ID cards and schools.</p>}
    >
      <ImageTabs current="images/exports" />
      <ProcessingPausedNotice />
      <div>
        <ExportList job={job} />
        <Panel title="New export" lead="Hidden people and withdrawn images are left out.">
          <QueryBoundary query={query}>
            {({ fieldNames, settings }) => <ExportForm job={job} fieldNames={fieldNames} initialSettings={settings} />}
          </QueryBoundary>
        </Panel>
      </div>
    </StaffScreen>
  )
}
