import { sql } from 'kysely'
import { type YearBook, yearBookChoices } from '#contract/studio/portraits/year-book.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { Deps } from '../deps.ts'
import { choiceOfSubject, yearBookSubjects } from '../images/store/year-book-choices.ts'
import { countCustomersToRemind } from './send-reminders.ts'

type JobRow = { isOffered: boolean; expiresAt: Date | null; isExpired: boolean }
type Counts = YearBook['counts']

const counts = sql`json_build_object(${sql.join(
  yearBookChoices.flatMap((choice) => [sql.lit(choice), sql`count(*) filter (where x.choice = ${sql.lit(choice)})`]),
)})`

type CountsRow = { counts: Counts; chosenByStaff: number; groups: YearBook['groups'] }

/** Counts the subjects of a job's yearbook by choice, in all and in each group. */
const readCounts = async ({ db }: Deps, job: JobKey): Promise<CountsRow> => {
  const { rows } = await sql<CountsRow>`
    with x as materialized (
      select u.id, ${choiceOfSubject} as choice, y.chosen_by ${yearBookSubjects(job)})
    select ${counts} as counts, count(*) filter (where x.choice = 'chosen' and x.chosen_by is not null) as "chosenByStaff",
           (select coalesce(json_agg(g order by g.position, g.id), '[]') from (
              select q.id, q.name, q.position, ${counts} as counts from groups q
                join subject_groups m on m.studio_id = q.studio_id and m.group_id = q.id
                join x on x.id = m.subject_id
               where q.studio_id = ${job.studioId} and q.job_id = ${job.jobId}
               group by q.id, q.name, q.position) g) as groups
      from x`.execute(db)
  const [row] = rows
  if (!row) throw new Error('a query of counts has one row')
  return row
}

/** The yearbook of a job for staff; undefined if there is no such job. */
export const readYearBook = async (deps: Deps, job: JobKey): Promise<YearBook | undefined> => {
  const { rows } = await sql<JobRow>`
    select j.enable_year_book_pose_selection as "isOffered", j.year_book_pose_expires_at as "expiresAt",
           coalesce(j.year_book_pose_expires_at <= ${deps.clock()}::timestamptz, false) as "isExpired"
      from jobs j where j.studio_id = ${job.studioId} and j.id = ${job.jobId}`.execute(deps.db)
  const [row] = rows
  if (!row) return undefined
  const customersToRemind = await countCustomersToRemind(deps, job)
  const { isOffered, expiresAt, isExpired } = row
  return {
    isOffered,
    isExpired,
    expiresAt: expiresAt?.toISOString() ?? null,
    ...(await readCounts(deps, job)),
    customersToRemind,
  }
}
