import { useEvent } from '../customer/event.tsx'
import { SubjectSearchScreen } from '../customer/find/subject-search-screen.tsx'
import { PeopleToType } from '../customer/people/people-to-type.tsx'
import type { CustomerRoute } from './urls.ts'

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
