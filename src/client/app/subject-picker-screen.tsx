import type { CustomerRoute } from '#platform/urls.ts'
import { SubjectSearchScreen } from '../customer/discovery/subject-search/subject-search-screen.tsx'
import { useEvent } from '../customer/shared/job/job-context.tsx'
import { PeopleToType } from '../customer/subjects/subject-entry.tsx'

/** Whom to order for: found in the studio's list, or typed in before the picture day where it brought none. */
export const WhoScreen = (place: CustomerRoute) => {
  const { job, orderMethod } = useEvent()
  const mayType = orderMethod === 'prepay' && !job.prepaySettings.importedData
  return (
    <SubjectSearchScreen
      {...place}
      around={mayType ? (search) => <PeopleToType place={place} search={search} /> : undefined}
    />
  )
}
