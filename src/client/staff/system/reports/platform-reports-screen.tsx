import { downloadFile } from '#client/staff/kit/download/download-file.ts'
import { StudioFilter } from '#client/staff/kit/list/list-filter.tsx'
import { authorizedRequest } from '#client/staff/kit/query/authorized-request.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import type { ReportFileCalls } from '#client/staff/kit/report/report-files.tsx'
import { ReportChoice } from '#client/staff/kit/report/report-filters.tsx'
import { ReportTable } from '#client/staff/kit/report/report-table.tsx'
import { ReportTools } from '#client/staff/kit/report/report-tools.tsx'
import { chosenId, useReportRequest } from '#client/staff/kit/report/use-report-request.ts'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import {
  deletePlatformReportFile,
  getPlatformReportFileLink,
  listPlatformReportFiles,
  startPlatformReportFile,
} from '#contract/system/report-files.ts'
import { exportPlatformReport, getPlatformReport } from '#contract/system/reports.ts'
import { type PlatformReport, platformReports } from '#domain/studio/reports.ts'
import { useIsPhone } from '#ui/rendering/use-media-query.ts'

const isReport = (name: string): name is PlatformReport => Object.hasOwn(platformReports, name)

const reportOf = (name: string | undefined): PlatformReport => (name !== undefined && isReport(name) ? name : 'revenue')

const useReportFiles = (): ReportFileCalls => {
  const { mutate: remove } = useStaffMutation(deletePlatformReportFile)
  return {
    list: listPlatformReportFiles,
    params: {},
    readLink: (id) => authorizedRequest(getPlatformReportFileLink, { params: { id }, body: {} }),
    remove: (id) => remove({ params: { id } }),
  }
}

/** The reports over all studios, for the platform's administrators. Each studio's days are those of its own time zone. */
export const PlatformReportsScreen = () => {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  const { list, request } = useReportRequest((name) => platformReports[reportOf(name)], timeZone)
  const report = reportOf(list.filters.report)
  const description = platformReports[report]
  const platformRequest = { ...request, studioId: chosenId(list, 'studioId') }
  const files = useReportFiles()
  const { mutate: start } = useStaffMutation(startPlatformReportFile)
  const { currentPage, pageSize } = list.query
  const query = useStaffQuery(getPlatformReport, {
    params: { report },
    query: { ...platformRequest, currentPage, pageSize },
  })
  return (
    <StaffScreen
      title={description.title}
      isTitleChosen
      trail={[{ label: 'Reports', href: staffUrls.admin('reports') }]}
      actions={
        <ReportTools
          {...{ query, files }}
          onStart={(options) => start({ params: { report }, body: { ...platformRequest, ...options } })}
          onExport={(options) =>
            downloadFile(exportPlatformReport, { params: { report }, body: { ...platformRequest, ...options } })
          }
        />
      }
    >
      <ReportChoice list={list} reports={platformReports} current={report}>
        <StudioFilter list={list} name="studioId" hasVisibleLabel={!useIsPhone()} />
      </ReportChoice>
      <ReportTable {...{ list, description, query }} />
    </StaffScreen>
  )
}
