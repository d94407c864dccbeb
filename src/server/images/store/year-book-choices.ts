import { TZDate } from '@date-fns/tz'
import { lightFormat } from 'date-fns/lightFormat'
import { type RawBuilder, sql } from 'kysely'
import type { YearBookChoice } from '#contract/studio/portraits/year-book.ts'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import { areImagesVisibleToBuyers } from '#server/jobs/store/order-availability.ts'
import { matchesSubjectFilter } from '#server/subjects/store/subject-filter.ts'
import { isPortrait } from './image-conditions.ts'

type ChoiceFilter = { readonly filter?: string | undefined; readonly groupId?: number | undefined }

/** The choice of subject `u`, whose images `n` counts and whose chosen image `y` is. */
export const choiceOfSubject: RawBuilder<YearBookChoice> = sql`case
  when y.image_id is not null then 'chosen' when n.images > 1 then 'missing' when n.images = 1 then 'single' else 'without' end`

/**
 * `from … where …` of the subjects `u` of a job that can be in its yearbook. `n.images` counts the images of each, and
 * `y` is the choice, unless its image was withdrawn or moved since.
 */
export const yearBookSubjects = (job: JobKey, filter: ChoiceFilter = {}): RawBuilder<unknown> => sql`
  from subjects u
  left join (select i.subject_id, count(*) as images from image_lookups i
              where i.studio_id = ${job.studioId} and i.job_id = ${job.jobId} and ${isPortrait}
              group by i.subject_id) n on n.subject_id = u.id
  left join (select c.subject_id, c.image_id, c.chosen_by from year_book_poses c
               join image_lookups i on i.studio_id = c.studio_id and i.id = c.image_id and i.subject_id = c.subject_id
              where c.studio_id = ${job.studioId} and i.job_id = ${job.jobId} and ${isPortrait}) y on y.subject_id = u.id
 where ${matchesSubjectFilter(job, { ...filter, visibility: 'shown' })}`

/** The subjects of a job whose image is missing and whose parents can choose it now: several images are published. */
export const subjectsToRemind = (job: JobKey, now: Date): RawBuilder<unknown> => sql`
  select u.id ${yearBookSubjects(job)} and ${choiceOfSubject} = 'missing'
     and (select count(*) from image_lookups i
           where i.studio_id = u.studio_id and i.subject_id = u.id and ${isPortrait}
             and i.published_at <= ${now}::timestamptz) > 1
     and exists (select from jobs j join studios s on s.id = j.studio_id
                  where j.studio_id = ${job.studioId} and j.id = ${job.jobId} and j.enable_year_book_pose_selection
                    and coalesce(j.year_book_pose_expires_at > ${now}::timestamptz, true) and ${areImagesVisibleToBuyers(now)})`

/** The deadline for choosing poses in the studio's time zone, as parents read it: "04/15/2027, 5:00 PM". */
export const poseDeadlineLabel = (expiresAt: Date, timeZone: string): string =>
  lightFormat(new TZDate(expiresAt, timeZone), 'MM/dd/yyyy, h:mm a')
