import { type ReactNode, useEffect } from 'react'
import { useJobContext } from '#client/customer/shared/job/job-context.tsx'
import shared from '#client/customer/shared/subject/subject-picker.module.css'
import { prefetchJob } from '#platform/service-worker/prefetch.ts'
import type { CustomerRoute } from '#platform/urls.ts'
import { urls } from '#platform/urls.ts'
import { whenIdle } from '#platform/when-idle.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import { classNames } from '#ui/class-names.ts'
import styles from '../discovery.module.css'
import { KnownSubjects } from './known-subjects.tsx'
import { SubjectSearch } from './subject-search.tsx'
import { SubjectSearchHeading } from './subject-search-heading.tsx'

type SubjectSearchScreenProps = CustomerRoute & {
  /** Wraps the search where subjects may be typed in. */
  wrap?: ((search: ReactNode) => ReactNode) | undefined
}

const OwnCodeOnly = (route: CustomerRoute) => (
  <div className={shared.part}>
    <p>You need your child’s own code for this event.</p>
    <ButtonLink href={urls.customerCode(route)} wide>
      Enter the code
    </ButtonLink>
  </div>
)

/** "Who are you ordering for?": subjects opened before, the search by name, and the gallery if it is public. */
export const SubjectSearchScreen = ({ wrap, ...route }: SubjectSearchScreenProps) => {
  const { job, jobId, studio, studioSlug } = useJobContext()
  const studioId = studio.id
  // Prefetch the next screens while the customer types a name.
  useEffect(() => whenIdle(() => prefetchJob({ studioSlug, studioId, jobId })), [studioSlug, studioId, jobId])
  const search = job.ownCodeOnly ? <OwnCodeOnly {...route} /> : <SubjectSearch {...route} />
  return (
    <div className={styles.column}>
      <SubjectSearchHeading title="Who are you ordering for?" />
      <KnownSubjects {...route} />
      {wrap ? wrap(search) : search}
      {job.publicGallery && (
        <div className={classNames(shared.part, shared.or)}>
          <p>Or browse everyone’s photos.</p>
          <ButtonLink href={urls.selectSubject(route)} variant="secondary" wide>
            See the whole gallery
          </ButtonLink>
        </div>
      )}
    </div>
  )
}
