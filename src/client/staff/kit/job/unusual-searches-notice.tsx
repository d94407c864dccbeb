import { Link } from 'wouter'
import type { UnusualSearches } from '#contract/studio/jobs.ts'
import { formatDate } from '#domain/shared/dates.ts'
import { wallClock } from '#domain/shared/wall-clock.ts'
import { Notice } from '#ui/feedback/notice.tsx'
import { useStudio } from '../routing/staff-context.ts'
import { staffUrls } from '../routing/staff-urls.ts'

const shown = (count: number) => count.toLocaleString('en-US')

const whatHappened = ({ misses, people: subjectCount }: UnusualSearches): string =>
  [
    misses > 0 && `${shown(misses)} searches that found no one`,
    subjectCount > 0 && `${shown(subjectCount)} people opened from one network`,
  ]
    .filter((part) => part !== false)
    .join(', and ')

type UnusualSearchesNoticeProps = {
  jobId: number
  /** The job's name, if the screen is not the job's own. */
  name?: string
  unusual: UnusualSearches
}

/** Warns of unusually many searches in a job: how many, since when, and what to do. */
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
      {whatHappened(unusual)} since {formatDate(day)} {time}. Someone may be trying out names. Further searches from
      there are slowed down.
    </Notice>
  )
}
