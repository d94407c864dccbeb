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
import phoneIcon from '#ui/button/phone-icon.module.css'
import type { IconShape } from '#ui/icon.tsx'
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

/** The saved reports of the studio, the choices on the screen, and the saved report that the screen shows. */
const useSavedReports = () => {
  const { id: studioId } = useStudio()
  const [, navigate] = useLocation()
  const parameters = new URLSearchParams(useSearch())
  const { data } = useStaffQuery(listSavedReports, { params: { studioId } })
  const reports = data && toPage(data).resultItems
  return {
    studioId,
    reports,
    choices: choicesOf(parameters),
    current: reports?.find(({ id }) => String(id) === parameters.get('saved')),
    showSaved: (saved: { choices: ReportChoices; id?: number }) =>
      navigate(reportUrl(studioId, saved.choices, saved.id), { replace: true }),
  }
}

type DialogButtonProps = {
  icon: IconShape
  text: string
  /** The saved report to edit; undefined to save a new one. */
  savedReport?: SavedReport | undefined
  className?: string | undefined
}

/** A button that opens the dialog of a saved report. */
const DialogButton = ({ icon, text, savedReport, className }: DialogButtonProps) => {
  const { studioId, choices, showSaved } = useSavedReports()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="quiet" {...{ icon, className }} onClick={() => setOpen(true)}>
        {text}
      </Button>
      <SavedReportDialog
        {...{ studioId, choices, savedReport }}
        open={isOpen}
        onClose={(saved) => {
          setOpen(false)
          if (saved) showSaved(saved)
        }}
      />
    </>
  )
}

/** The button that saves the choices on the screen. Without the list it is not known what is saved. */
export const SaveReport = () => {
  const { reports, current } = useSavedReports()
  if (!reports) return null
  const text = current ? 'Save as new' : 'Save report'
  return <DialogButton icon={Bookmark} text={text} className={phoneIcon.phoneIcon} />
}

/** Links to the saved reports of the studio, and the button that edits the one on the screen. */
export const SavedReports = () => {
  const { studioId, reports = [], current } = useSavedReports()
  if (reports.length === 0) return null
  return (
    <nav className={styles.saved} aria-label="Saved reports">
      {reports.map((report) => (
        <Link
          key={report.id}
          href={reportUrl(studioId, report.choices, report.id)}
          className={styles.report}
          aria-current={report === current ? 'page' : undefined}
        >
          {report.name}
        </Link>
      ))}
      {current && <DialogButton key={current.id} icon={Pencil} text="Edit saved report" savedReport={current} />}
    </nav>
  )
}
