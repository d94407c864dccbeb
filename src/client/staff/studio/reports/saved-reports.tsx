import Bookmark from 'lucide-react/icons/bookmark'
import { useState } from 'react'
import { Link, useSearch } from 'wouter'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { listSavedReports, type SavedReport } from '#contract/studio/saved-reports.ts'
import { toPage } from '#domain/shared/paging.ts'
import { haveSameChoices, type ReportChoices, reportChoiceNames } from '#domain/studio/saved-report.ts'
import { Button } from '#ui/button/button.tsx'
import { SavedReportDialog } from './saved-report-dialog.tsx'
import styles from './saved-reports.module.css'

const choicesOf = (search: string): ReportChoices => {
  const parameters = new URLSearchParams(search)
  return Object.fromEntries(
    reportChoiceNames.flatMap((name) => {
      const value = parameters.get(name)
      return value ? [[name, value]] : []
    }),
  )
}

const searchOf = (choices: ReportChoices): string => new URLSearchParams(Object.entries(choices)).toString()

/** Links to the saved reports of the studio, and the button that saves or edits the one on the screen. */
export const SavedReports = () => {
  const { id: studioId } = useStudio()
  const choices = choicesOf(useSearch())
  const [open, setOpen] = useState(false)
  const { data } = useStaffQuery(listSavedReports, { params: { studioId } })
  const reports: readonly SavedReport[] = data ? toPage(data).resultItems : []
  const current = reports.find((report) => haveSameChoices(report.choices, choices))
  return (
    <nav className={styles.saved} aria-label="Saved reports">
      {reports.map((report) => (
        <Link
          key={report.id}
          href={`${staffUrls.studio(studioId, 'reports')}?${searchOf(report.choices)}`}
          className={styles.report}
          aria-current={report === current ? 'page' : undefined}
        >
          {report.name}
        </Link>
      ))}
      <Button variant="quiet" icon={Bookmark} onClick={() => setOpen(true)}>
        {current ? 'Edit saved report' : 'Save this report'}
      </Button>
      <SavedReportDialog {...{ studioId, choices, current, open }} onClose={() => setOpen(false)} />
    </nav>
  )
}
