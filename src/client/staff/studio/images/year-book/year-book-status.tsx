import { Link } from 'wouter'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { type JobParams, staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { formatCount, formatMoment } from '#client/staff/kit/screen/format.ts'
import { getYearBook, type YearBook } from '#contract/studio/portraits/year-book.ts'
import styles from './year-book.module.css'

const deadlineText = ({ isOffered, expiresAt, isExpired }: YearBook, timeZone: string): string => {
  if (!isOffered) return 'Parents aren’t asked to choose the yearbook photo.'
  if (expiresAt === null) return 'Parents choose the yearbook photo, without a deadline.'
  const moment = formatMoment(expiresAt, timeZone)
  return isExpired ? `Parents could choose until ${moment}.` : `Parents can choose until ${moment}.`
}

const countsText = ({ counts: { chosen, missing, single, without }, chosenByStaff }: YearBook): string =>
  [
    chosen > 0 && `${formatCount(chosen)} chosen${chosenByStaff > 0 ? `, ${formatCount(chosenByStaff)} by staff` : ''}`,
    missing > 0 && `${formatCount(missing)} missing`,
    single > 0 && `${formatCount(single)} with one image`,
    without > 0 && `${formatCount(without)} without images`,
  ]
    .filter((phrase) => phrase !== false)
    .join(' · ')

/** The deadline of a yearbook and how many images are chosen. */
export const YearBookStatus = ({ job }: { job: JobParams }) => {
  const { timeZone } = useStudio()
  const { data } = useStaffQuery(getYearBook, { params: { studioId: job.studioId, jobId: job.jobId } })
  if (!data) return null
  return (
    <>
      <p className="tabular">{countsText(data)}</p>
      <p>
        {deadlineText(data, timeZone)}{' '}
        <Link href={staffUrls.job(job, 'settings/gallery')} className={styles.change}>
          Change
        </Link>
      </p>
    </>
  )
}
