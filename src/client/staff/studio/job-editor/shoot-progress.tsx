import { Link } from 'wouter'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { type JobParams, staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { getShoot } from '#contract/studio/shoots.ts'
import styles from './job-overview.module.css'
import { Meter } from './meter.tsx'
import { overviewRefetchMs } from './overview-refetch-interval.ts'

const shown = (count: number) => count.toLocaleString('en-US')

/** Progress of the shoot. Hidden until the first subject is marked. */
export const ShootProgress = ({ params }: { params: JobParams }) => {
  const { studioId, jobId } = params
  const { data } = useStaffQuery(getShoot, { params: { studioId, jobId }, refetchIntervalMs: overviewRefetchMs })
  if (!data) return null
  const { waiting, photographed, absent, again } = data.counts
  const marked = photographed + absent + again
  if (marked === 0) return null
  return (
    <>
      <Meter label="People photographed" value={photographed + again} of={waiting + marked} />
      <p className={styles.soft}>
        {shown(waiting)} still to come · {shown(again)} to be taken again ·{' '}
        <Link href={`${staffUrls.job(params, 'subjects')}?attendance=absent`}>{shown(absent)} absent</Link>
      </p>
    </>
  )
}
