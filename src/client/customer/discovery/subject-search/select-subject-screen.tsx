import { Redirect } from 'wouter'
import { useJobContext } from '#client/customer/shared/job/job-context.tsx'
import type { CustomerRoute } from '#platform/urls.ts'
import { urls } from '#platform/urls.ts'
import styles from '../discovery.module.css'
import { SubjectGallery } from './subject-gallery.tsx'
import { SubjectSearchHeading } from './subject-search-heading.tsx'

/**
 * The gallery of all subjects of a public job, with images. If the gallery is not public, the search is used instead.
 */
export const SelectSubjectScreen = (route: CustomerRoute) => {
  const { job } = useJobContext()
  if (!job.publicGallery) return <Redirect to={urls.subjectSearch(route)} replace />
  return (
    <div className={styles.wide}>
      <SubjectSearchHeading title="Choose your child" />
      <SubjectGallery {...route} />
    </div>
  )
}
