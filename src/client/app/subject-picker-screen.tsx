import type { CustomerRoute } from '#platform/urls.ts'
import { SubjectSearchScreen } from '../customer/discovery/subject-search/subject-search-screen.tsx'
import { useJobContext } from '../customer/shared/job/job-context.tsx'
import { SubjectEntry } from '../customer/subjects/subject-entry.tsx'

/** Selects the subject to order for: searched in the studio's list, or typed in before picture day if there is none. */
export const SubjectPickerScreen = (route: CustomerRoute) => {
  const { job, orderMethod } = useJobContext()
  const canTypeSubject = orderMethod === 'prepay' && !job.prepaySettings.importedData
  return (
    <SubjectSearchScreen
      {...route}
      wrap={canTypeSubject ? (search) => <SubjectEntry route={route} search={search} /> : undefined}
    />
  )
}
