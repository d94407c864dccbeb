import { Link } from 'wouter'
import { getShoot } from '../../../contract/studio/shoots.ts'
import { type JobPlace, staffUrls } from '../../staff/staff-urls.ts'
import { useAnswer } from '../../staff/use-answer.ts'
import { lookAgainMs } from './look-again.ts'
import { Meter } from './meter.tsx'
import styles from './overview.module.css'

const shown = (count: number) => count.toLocaleString('en-US')

/** How far the shoot is, from the first person who was marked on; before that there is nothing to tell. */
export const ShootProgress = ({ place }: { place: JobPlace }) => {
  const { studioId, jobId } = place
  const { data } = useAnswer(getShoot, { params: { studioId, jobId }, everyMs: lookAgainMs })
  if (!data) return null
  const { waiting, photographed, absent, again } = data.counts
  const marked = photographed + absent + again
  if (marked === 0) return null
  return (
    <>
      <Meter label="People photographed" value={photographed + again} of={waiting + marked} />
      <p className={styles.soft}>
        {shown(waiting)} still to come · {shown(again)} to be taken again ·{' '}
        <Link href={`${staffUrls.job(place, 'subjects')}?attendance=absent`}>{shown(absent)} absent</Link>
      </p>
    </>
  )
}
