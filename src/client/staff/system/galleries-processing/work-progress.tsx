import { formatCount } from '#client/staff/kit/screen/format.ts'
import type { GalleryWorkRow } from '#contract/system/galleries-processing.ts'
import { galleryWorkNames } from '#domain/studio/gallery-work.ts'

export const workKey = ({ kind, studioId, jobId }: GalleryWorkRow): string => `${kind} ${studioId} ${jobId ?? ''}`

export const workName = ({ kind, jobName, studioName }: GalleryWorkRow): string =>
  `${galleryWorkNames[kind]}, ${jobName ?? studioName}`

/** How much of the work in progress is done. A dash if nothing is in progress. */
export const WorkProgress = ({ row }: { row: GalleryWorkRow }) => {
  const { done, total, waiting, running } = row
  if (total === null || waiting + running === 0) return '–'
  return (
    <>
      <progress value={done ?? 0} max={Math.max(1, total)} aria-label={`Progress of ${workName(row)}`} />{' '}
      <span className="tabular">
        {formatCount(done ?? 0)} of {formatCount(total)}
      </span>
    </>
  )
}

const minuteMs = 60_000

/** The age of work in one unit, which stays on one line: “12 min”, “3 h”, “2 days”. */
export const formatAge = (since: string, now: number): string => {
  const minutes = Math.max(0, Math.floor((now - Date.parse(since)) / minuteMs))
  if (minutes < 60) return `${minutes}\u00a0min`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return `${hours}\u00a0h`
  return `${formatCount(Math.floor(hours / 24))}\u00a0days`
}
