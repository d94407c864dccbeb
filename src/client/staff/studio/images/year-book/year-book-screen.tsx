import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { ImageTabs } from '../image-tabs.tsx'
import { ReminderButton } from './reminder-button.tsx'
import { useYearBookUrl } from './use-year-book-url.ts'
import { YearBookChooser } from './year-book-chooser.tsx'
import { YearBookList } from './year-book-list.tsx'
import { YearBookStatus } from './year-book-status.tsx'

/** The yearbook of a job: which image each subject has chosen. Staff choose the missing ones, one subject after the other. */
export const YearBookScreen = (job: JobParams) => {
  const { subjectId } = useYearBookUrl()
  return (
    <StaffScreen
      title="Yearbook"
      lead={<YearBookStatus job={job} />}
      actions={subjectId === null && <ReminderButton job={job} />}
    >
      <ImageTabs current="images/yearbook" />
      {subjectId === null ? <YearBookList job={job} /> : <YearBookChooser job={job} subjectId={subjectId} />}
    </StaffScreen>
  )
}
