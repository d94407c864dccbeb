import { Link } from 'wouter'
import type { UnusualSearches } from '#contract/studio/jobs.ts'
import { formatDate } from '#domain/shared/dates.ts'
import { wallClock } from '#domain/shared/wall-clock.ts'
import { Notice } from '#ui/feedback/notice.tsx'
import { useStudio } from '../routing/staff-context.ts'
import { staffUrls } from '../routing/staff-urls.ts'
import { formatCount } from '../screen/format.ts'

const searchesMessage = ({ misses, people: subjectCount }: UnusualSearches): string =>
  [
    misses > 0 && `${formatCount(misses)} searches that found no one`,
    subjectCount > 0 && `${formatCount(subjectCount)} people opened from one network`,
  ]
    .filter((message) => message !== false)
    .join(', and ')

type UnusualSearchesNoticeProps = {
  jobId: number
  /** The job's name, if the screen is not part of this job. */
  name?: string
  unusual: UnusualSearches
}

/** Warns about an unusual number of searches in a job, with a link to the setting that prevents them. */
export const UnusualSearchesNotice = ({ jobId, name, unusual }: UnusualSearchesNoticeProps) => {
  const { id: studioId, timeZone } = useStudio()
  const [day = '', time] = wallClock(unusual.since, timeZone).split('T')
  return (
    <Notice
      tone="attention"
      title={name ? `Unusual searching in ${name}` : 'Unusual searching in this job'}
      action={
        <Link href={staffUrls.job({ studioId, jobId }, 'settings/general')}>Allow only the child’s own code</Link>
      }
    >
      {searchesMessage(unusual)} since {formatDate(day)} {time}. Someone may be trying out names. Further searches from
      there are slowed down.
    </Notice>
  )
}
