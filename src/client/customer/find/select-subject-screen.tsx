import { Redirect } from 'wouter'
import type { CustomerRoute } from '../../shell/urls.ts'
import { urls } from '../../shell/urls.ts'
import { useEvent } from '../event.tsx'
import styles from './find.module.css'
import { Gallery } from './gallery.tsx'
import { SearchHeading } from './search-heading.tsx'

/** The gallery of subjects: everybody of a public event, by picture. Where the gallery is not public, the search is the way. */
export const SelectSubjectScreen = (place: CustomerRoute) => {
  const { job } = useEvent()
  if (!job.publicGallery) return <Redirect to={urls.subjectSearch(place)} replace />
  return (
    <div className={styles.wide}>
      <SearchHeading title="Choose a person" />
      <Gallery {...place} />
    </div>
  )
}
