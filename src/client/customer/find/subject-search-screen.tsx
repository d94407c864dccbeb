import type { CustomerRoute } from '../../shell/urls.ts'
import { urls } from '../../shell/urls.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { useEvent } from '../event.tsx'
import styles from './find.module.css'
import { KnownPeople } from './known-people.tsx'
import { SearchHeading } from './search-heading.tsx'
import { SubjectSearch } from './subject-search.tsx'

/** "Who are you ordering for?": those opened here before, the search by name, and the gallery where it is public. */
export const SubjectSearchScreen = (place: CustomerRoute) => {
  const { job } = useEvent()
  return (
    <div className={styles.column}>
      <SearchHeading title="Who are you ordering for?" />
      <KnownPeople {...place} />
      <SubjectSearch {...place} />
      {job.publicGallery && (
        <div className={styles.or}>
          <p>Or look through everybody’s pictures.</p>
          <ButtonLink href={urls.selectSubject(place)} variant="secondary" wide>
            See the whole gallery
          </ButtonLink>
        </div>
      )}
    </div>
  )
}
