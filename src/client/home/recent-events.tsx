import { useLiveQuery } from 'dexie-react-hooks'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { Link } from 'wouter'
import { type RecentJob, readRecentJobs } from '#local/store/recent-jobs.ts'
import { database } from '#platform/database.ts'
import { urls } from '#platform/urls.ts'
import { Button } from '#ui/button/button.tsx'
import { Icon } from '#ui/icon.tsx'
import styles from './home-extras.module.css'

// Pages served over plain http have no Cache Storage.
const readJobs = () => readRecentJobs(database, globalThis.caches)

/** The cart if there is something in it, the only child opened, or the search of the event. */
const urlOf = ({ packageCount, subjects, ...route }: RecentJob): string => {
  if (packageCount > 0) return urls.cart(route)
  const [subject, ...others] = subjects
  return subject && others.length === 0
    ? urls.selectPackage({ ...route, subjectId: subject.subjectId })
    : urls.subjectSearch(route)
}

const listOfNames = new Intl.ListFormat('en-US', { type: 'conjunction' })

const EventCard = ({ job }: { job: RecentJob }) => {
  const { jobName, studioName, studioSlug, subjects, packageCount } = job
  const names = listOfNames.format(subjects.map(({ firstName }) => firstName).filter(Boolean))
  const event = [jobName, studioName ?? studioSlug].filter(Boolean).join(' · ')
  const thumbnailUrl = subjects.find(({ imageThumbnailUrl }) => imageThumbnailUrl)?.imageThumbnailUrl
  return (
    <Link href={urlOf(job)} className={styles.card}>
      <span className={styles.thumbnail}>
        {thumbnailUrl && <img src={thumbnailUrl} alt="" width="48" height="60" />}
      </span>
      <span className={styles.title}>{names || event}</span>
      {names && <span className={styles.detail}>{event}</span>}
      {packageCount > 0 && <span className={styles.inCart}>{packageCount} in the cart</span>}
      <Icon of={ChevronRight} />
    </Link>
  )
}

/** For a shared device: removes what it knows of these events, after a question. */
const finish = async () => {
  const { confirmClearDevice } = await import('../customer/shared/confirm-clear-device.ts')
  await confirmClearDevice()
}

/** The events and carts of this device, to continue without typing; also without a network. */
export const RecentEvents = () => {
  const jobs = useLiveQuery(readJobs, []) ?? []
  if (jobs.length === 0) return null
  return (
    <section className={styles.recent} aria-labelledby="recent-events">
      <h2 id="recent-events">Continue on this device</h2>
      <ul>
        {jobs.map((job) => (
          <li key={job.jobId}>
            <EventCard job={job} />
          </li>
        ))}
      </ul>
      <Button size="sm" variant="quiet" onClick={() => void finish()}>
        Finish on this device
      </Button>
    </section>
  )
}
