import { sql } from 'kysely'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import type { Deps } from '#server/deps.ts'
import { poseDeadlineLabel, subjectsToRemind } from '#server/images/store/year-book-choices.ts'
import { emailBodies, singleLine } from '#server/mail/email-body.ts'
import type { BackgroundJobs } from '#server/queue/background-jobs.ts'
import type { queues } from '#server/queue/queues.ts'
import type { OrderKey } from '../store/sold-lines.ts'
import { emailCustomer } from './order-emails.ts'

type Reminder = { names: string[]; expiresAt: Date | null; timeZone: string }

/** The subjects of a customer's orders whose image is still missing, and the deadline; undefined if there are none. */
const readReminder = async ({ db, clock }: Deps, key: OrderKey & JobKey): Promise<Reminder | undefined> => {
  const { rows } = await sql<Reminder>`
    select j.year_book_pose_expires_at as "expiresAt", s.time_zone as "timeZone",
           (select json_agg(trim(u.first_name || ' ' || u.last_name) order by u.first_key, u.last_key, u.id) from subjects u
             where u.studio_id = j.studio_id and u.id in (${subjectsToRemind(key, clock())}) and u.id in (
               select l.subject_id from orders o
                 join orders r on r.studio_id = o.studio_id and r.job_id = o.job_id and r.email_key = o.email_key and r.state <> 'cancelled'
                 join order_lines l on l.studio_id = r.studio_id and l.order_id = r.id
                where o.studio_id = ${key.studioId} and o.id = ${key.orderId})) as names
      from jobs j join studios s on s.id = j.studio_id
     where j.studio_id = ${key.studioId} and j.id = ${key.jobId}`.execute(db)
  const [row] = rows
  return row?.names ? row : undefined
}

/** Emails one reminder. A retry has the same key, so the email is sent once. */
export const sendYearBookReminder = async (
  deps: Deps,
  { remindedAt, ...key }: OrderKey & JobKey & { readonly remindedAt: string },
): Promise<void> => {
  const reminder = await readReminder(deps, key)
  if (!reminder) return
  const { names, expiresAt, timeZone } = reminder
  const deadline = expiresAt ? ` by ${poseDeadlineLabel(expiresAt, timeZone)}` : ''
  const nameList = new Intl.ListFormat('en-US').format(names)
  await emailCustomer(deps, key, {
    kind: 'yearbook',
    key: `yearbook ${key.orderId} ${remindedAt}`,
    write: ({ customer, jobId, jobName, studioSlug }) => ({
      subject: singleLine(`Choose the yearbook photo of ${nameList}`),
      ...emailBodies([
        `${customer.firstName}, the yearbook photo of ${nameList} for ${jobName} is not chosen yet. Please choose it${deadline}.`,
        { link: `${deps.address()}/${studioSlug}/${jobId}/select-subject` },
        'On another device, enter your access code first.',
      ]),
    }),
  })
}

export const startYearBookReminderWorker = (jobs: BackgroundJobs<typeof queues>, deps: Deps): Promise<void> =>
  jobs.work('send-yearbook-reminder', 2, ({ payload }) => sendYearBookReminder(deps, payload))
