import { useLiveQuery } from 'dexie-react-hooks'
import { Link } from 'wouter'
import { useJobContext } from '#client/customer/shared/job/job-context.tsx'
import shared from '#client/customer/shared/subject/subject-picker.module.css'
import { getSubject } from '#contract/customer/discovery-calls.ts'
import { useQuery } from '#platform/api/use-query.ts'
import { database } from '#platform/database.ts'
import { type CustomerRoute, urls } from '#platform/urls.ts'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import styles from '../discovery.module.css'

const readOpenedSubjectIds = async (jobId: number): Promise<number[]> =>
  (await database.subjects.where('jobId').equals(jobId).toArray()).map(({ subjectId }) => subjectId)

/** Subjects opened on this device before, to continue with one or switch to a sibling. */
export const KnownSubjects = (route: CustomerRoute) => {
  const subjectIds = useLiveQuery(() => readOpenedSubjectIds(route.jobId), [route.jobId]) ?? []
  if (subjectIds.length === 0) return null
  return (
    <section aria-labelledby="known-people" className={shared.part}>
      <h2 id="known-people" className={shared.smallHeading}>
        Recently viewed
      </h2>
      <ul className={styles.subjects}>
        {subjectIds.map((subjectId) => (
          <KnownSubject key={subjectId} {...route} subjectId={subjectId} />
        ))}
      </ul>
    </section>
  )
}

const KnownSubject = ({ subjectId, ...route }: CustomerRoute & { subjectId: number }) => {
  const isNamed = useJobContext().preferences.namesOnThumbnails
  const { data, problem } = useQuery(getSubject, { params: { jobId: route.jobId, subjectId } })
  // The studio hid this subject, or it is neither cached nor reachable: nothing to show.
  if (!data && problem) return null
  const name = data ? `${data.firstName} ${data.lastName}` : ''
  return (
    <li>
      <Link href={urls.selectPackage({ ...route, subjectId })} className={styles.subject}>
        {data?.imageThumbnailUrl ? (
          <img src={data.imageThumbnailUrl} alt={isNamed ? '' : name} width="256" height="320" />
        ) : (
          <Skeleton shape="photo" />
        )}
        {(isNamed || !data?.imageThumbnailUrl) && <span className={styles.subjectName}>{name}</span>}
      </Link>
    </li>
  )
}
