import { type ReactNode, useEffect } from 'react'
import { whenIdle } from '../../device/idle.ts'
import { warmEvent } from '../../device/warm.ts'
import type { CustomerRoute } from '../../shell/urls.ts'
import { urls } from '../../shell/urls.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { useEvent } from '../event.tsx'
import shared from '../whom.module.css'
import styles from './find.module.css'
import { KnownPeople } from './known-people.tsx'
import { SearchHeading } from './search-heading.tsx'
import { SubjectSearch } from './subject-search.tsx'

type SubjectSearchScreenProps = CustomerRoute & {
  /** What stands around the search where people may be typed in. */
  around?: ((search: ReactNode) => ReactNode) | undefined
}

const OwnCodeOnly = (place: CustomerRoute) => (
  <div className={shared.part}>
    <p>This event opens with your child’s own code.</p>
    <ButtonLink href={urls.customerCode(place)} wide>
      Enter the code
    </ButtonLink>
  </div>
)

/** "Who are you ordering for?": those opened here before, the search by name, and the gallery where it is public. */
export const SubjectSearchScreen = ({ around, ...place }: SubjectSearchScreenProps) => {
  const { job, jobId, studio, studioSlug } = useEvent()
  const studioId = studio.id
  // While somebody types a name, what comes after it is fetched.
  useEffect(() => whenIdle(() => warmEvent({ studioSlug, studioId, jobId })), [studioSlug, studioId, jobId])
  const search = job.ownCodeOnly ? <OwnCodeOnly {...place} /> : <SubjectSearch {...place} />
  return (
    <div className={styles.column}>
      <SearchHeading title="Who are you ordering for?" />
      <KnownPeople {...place} />
      {around ? around(search) : search}
      {job.publicGallery && (
        <div className={classNames(shared.part, shared.or)}>
          <p>Or look through everybody’s pictures.</p>
          <ButtonLink href={urls.selectSubject(place)} variant="secondary" wide>
            See the whole gallery
          </ButtonLink>
        </div>
      )}
    </div>
  )
}
