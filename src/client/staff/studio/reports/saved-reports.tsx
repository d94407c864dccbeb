import Bookmark from 'lucide-react/icons/bookmark'
import Pencil from 'lucide-react/icons/pencil'
import { useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { listSavedReports, type SavedReport } from '#contract/studio/saved-reports.ts'
import { toPage } from '#domain/shared/paging.ts'
import { type ReportChoices, reportChoiceNames } from '#domain/studio/saved-report.ts'
import { Button } from '#ui/button/button.tsx'
import { SavedReportDialog } from './saved-report-dialog.tsx'
import styles from './saved-reports.module.css'

const choicesOf = (parameters: URLSearchParams): ReportChoices =>
  Object.fromEntries(
    reportChoiceNames.flatMap((name) => {
      const value = parameters.get(name)
      return value ? [[name, value]] : []
    }),
  )

/** The address of the report screen with these choices, which belong to this saved report if it has an id. */
const reportUrl = (studioId: number, choices: ReportChoices, savedId?: number): string => {
  const parameters = new URLSearchParams(Object.entries(choices))
  if (savedId !== undefined) parameters.set('saved', String(savedId))
  return `${staffUrls.studio(studioId, 'reports')}?${parameters}`
}

const SavedReportNav = ({ reports }: { reports: readonly SavedReport[] }) => {
  const { id: studioId } = useStudio()
  const [, navigate] = useLocation()
  const parameters = new URLSearchParams(useSearch())
  const [dialog, setDialog] = useState<'edit' | 'new' | null>(null)
  const choices = choicesOf(parameters)
  const savedReport = reports.find(({ id }) => String(id) === parameters.get('saved'))
  const close = (saved?: { choices: ReportChoices; id?: number }) => {
    setDialog(null)
    if (saved) navigate(reportUrl(studioId, saved.choices, saved.id), { replace: true })
  }
  return (
    <nav className={styles.saved} aria-label="Saved reports">
      {reports.map((report) => (
        <Link
          key={report.id}
          href={reportUrl(studioId, report.choices, report.id)}
          className={styles.report}
          aria-current={report === savedReport ? 'page' : undefined}
        >
          {report.name}
        </Link>
      ))}
      {savedReport && (
        <Button variant="quiet" icon={Pencil} onClick={() => setDialog('edit')}>
          Edit saved report
        </Button>
      )}
      <Button variant="quiet" icon={Bookmark} onClick={() => setDialog('new')}>
        {savedReport ? 'Save as new' : 'Save this report'}
      </Button>
      <SavedReportDialog
        {...{ studioId, choices }}
        savedReport={dialog === 'edit' ? savedReport : undefined}
        open={dialog !== null}
        onClose={close}
      />
    </nav>
  )
}

/** Links to the saved reports of the studio, and the buttons that save the choices on the screen and edit the chosen saved report. */
export const SavedReports = () => {
  const { id: studioId } = useStudio()
  const { data } = useStaffQuery(listSavedReports, { params: { studioId } })
  // Without the list it is not known what is saved. Why it is missing, the report itself says.
  return data ? <SavedReportNav reports={toPage(data).resultItems} /> : <div className={styles.saved} />
}
