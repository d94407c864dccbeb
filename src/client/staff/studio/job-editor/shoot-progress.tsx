import { Link } from 'wouter'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { type JobParams, staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { formatCount } from '#client/staff/kit/screen/format.ts'
import { getShoot } from '#contract/studio/shoots.ts'
import styles from './job-overview.module.css'
import meterStyles from './meter.module.css'

/** Polling interval in milliseconds: other users upload, order and check in while the overview is open. */
export const overviewRefetchMs = 10_000

/** Progress of the shoot. Hidden until the first subject is marked. */
export const ShootProgress = ({ params }: { params: JobParams }) => {
  const { studioId, jobId } = params
  const { data } = useStaffQuery(getShoot, { params: { studioId, jobId }, refetchIntervalMs: overviewRefetchMs })
  if (!data) return null
  const { waiting, photographed, absent, retake } = data.counts
  const markedCount = photographed + absent + retake
  if (markedCount === 0) return null
  return (
    <>
      <Meter label="People photographed" value={photographed + retake} total={waiting + markedCount} />
      <p className={styles.soft}>
        {formatCount(waiting)} still to come · {formatCount(retake)} to be taken again ·{' '}
        <Link href={`${staffUrls.job(params, 'subjects')}?attendance=absent`}>{formatCount(absent)} absent</Link>
      </p>
    </>
  )
}

type MeterProps = {
  label: string
  value: number
  total: number
}

/** A value out of a total, as numbers and as a bar. */
export const Meter = ({ label, value, total }: MeterProps) => (
  <div className={meterStyles.meter}>
    <span className={meterStyles.label}>{label}</span>
    <span className="tabular">
      {formatCount(value)} of {formatCount(total)}
    </span>
    <progress className={meterStyles.bar} aria-label={label} value={value} max={Math.max(total, 1)} />
  </div>
)
