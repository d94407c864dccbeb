import Users from 'lucide-react/icons/users'
import { downloadFile } from '#client/staff/kit/download/download-file.ts'
import { authorizedRequest } from '#client/staff/kit/query/authorized-request.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import type { ReportFileCalls } from '#client/staff/kit/report/report-files.tsx'
import { ReportChoice } from '#client/staff/kit/report/report-filters.tsx'
import { ReportTable } from '#client/staff/kit/report/report-table.tsx'
import { ReportTools } from '#client/staff/kit/report/report-tools.tsx'
import { useReportRequest } from '#client/staff/kit/report/use-report-request.ts'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { deleteReportFile, getReportFileLink, listReportFiles, startReportFile } from '#contract/system/report-files.ts'
import { exportReport, getReport } from '#contract/system/reports.ts'
import { studioReports } from '#domain/studio/reports.ts'
import { studioReportOf } from '#domain/studio/saved-report.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { JobChoice } from './job-choice.tsx'
import { SavedReports, SaveReport } from './saved-reports.tsx'

const useReportFiles = (): ReportFileCalls => {
  const { id: studioId } = useStudio()
  const { mutate: remove } = useStaffMutation(deleteReportFile)
  return {
    list: listReportFiles,
    params: { studioId },
    readLink: (id) => authorizedRequest(getReportFileLink, { params: { studioId, id }, body: {} }),
    remove: (id) => remove({ params: { studioId, id } }),
  }
}

/** The reports of a studio: what was earned, refunded, taxed and sold. */
export const StudioReportsScreen = () => {
  const { id: studioId, timeZone } = useStudio()
  const { list, request } = useReportRequest((name) => studioReports[studioReportOf(name)], timeZone)
  const report = studioReportOf(list.filters.report)
  const description = studioReports[report]
  const isRequired = description.job === 'required'
  const lacksJob = isRequired && request.jobId === undefined
  const files = useReportFiles()
  const { mutate: start } = useStaffMutation(startReportFile)
  const { currentPage, pageSize } = list.query
  const query = useStaffQuery(getReport, {
    params: { studioId, report },
    query: { ...request, currentPage, pageSize },
    enabled: !lacksJob,
  })
  return (
    <StaffScreen
      title={description.title}
      isTitleChosen
      trail={[{ label: 'Reports', href: staffUrls.studio(studioId, 'reports') }]}
      actions={
        <>
          <SaveReport />
          {!lacksJob && (
            <ReportTools
              {...{ query, files }}
              onStart={(options) => start({ params: { studioId, report }, body: { ...request, ...options } })}
              onExport={(options) =>
                downloadFile(exportReport, { params: { studioId, report }, body: { ...request, ...options } })
              }
            />
          )}
        </>
      }
    >
      <SavedReports />
      <ReportChoice list={list} reports={studioReports} current={report}>
        <JobChoice {...{ list, isRequired }} />
      </ReportChoice>
      {lacksJob ? (
        <EmptyState icon={Users} title="Choose a job">
          <p>This report is about the people of one job.</p>
        </EmptyState>
      ) : (
        <ReportTable {...{ list, description, query }} />
      )}
    </StaffScreen>
  )
}
