import { subHours } from 'date-fns/subHours'
import { type RawBuilder, sql } from 'kysely'
import { type OrderMethod, orderMethods } from '#domain/catalogue/catalogue.ts'
import { readSetting } from '../configuration/read-settings.ts'
import type { Transaction } from '../database/database.ts'
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import {
  type OrderAvailabilityRow,
  orderAvailabilityColumns,
  orderAvailabilityOf,
} from '../jobs/store/order-availability.ts'
import { emailBodies, singleLine } from '../mail/email-body.ts'
import type { BackgroundJobs } from '../queue/background-jobs.ts'
import type { queues } from '../queue/queues.ts'
import { shownImages } from './granted-subjects.ts'

/** The key of an entry to be notified when a job opens, or when the first image of one subject is published. */
export type WaitlistKey = { readonly studioId: number; readonly waitlistEntryId: number }

/** The condition of a waitlist entry, as stored. `photos_show` is true for an entry without a subject. */
export type WaitlistCondition = OrderAvailabilityRow & { order_method: OrderMethod | null; photos_show: boolean }

type WaitlistRow = WaitlistCondition & WaitlistKey

/**
 * SQL for whether job `j` of studio `s` shows an individual image of this subject; true without a subject, false for a
 * hidden one.
 */
export const showsSubjectImages = (subjectId: RawBuilder<unknown>, now: Date): RawBuilder<boolean> => sql`(
  ${subjectId} is null or exists (
    select from subjects u where u.studio_id = j.studio_id and u.job_id = j.id and u.id = ${subjectId}
       and u.state = 'listed' and u.hidden_at is null and exists (select from ${shownImages(now)})))`

/** The number of entries that one transaction examines. */
const batchSize = 500

const lockNextBatch = async (
  tx: Transaction,
  { studioId, waitlistEntryId }: WaitlistKey,
  now: Date,
): Promise<WaitlistRow[]> => {
  const { rows } = await sql<WaitlistRow>`
    select w.studio_id as "studioId", w.id as "waitlistEntryId", w.order_method, ${orderAvailabilityColumns(now)},
           ${showsSubjectImages(sql`w.subject_id`, now)} as photos_show
      from notify_me w
      join jobs j on j.studio_id = w.studio_id and j.id = w.job_id
      join studios s on s.id = w.studio_id
     where (w.studio_id, w.id) > (${studioId}::bigint, ${waitlistEntryId}::bigint)
       and w.notified_at is null and j.archived_at is null and (j.prepay_enabled or j.gallery_enabled)
     order by w.studio_id, w.id limit ${batchSize} for update of w skip locked`.execute(tx)
  return rows
}

/** Whether orders can be placed by the entry's method, or by any method, and the subject's images are shown. */
export const isFulfilled = (condition: WaitlistCondition, now: Date): boolean => {
  if (!condition.photos_show) return false
  const availability = orderAvailabilityOf(condition, now)
  const methods = condition.order_method === null ? orderMethods : [condition.order_method]
  return methods.some((method) => availability[method].available)
}

/**
 * Examines the waitlist. Each entry whose condition is fulfilled gets its own mail job, so that an address that fails
 * does not delay the others.
 */
export const enqueueWaitlistEmails = async (deps: Deps): Promise<void> => {
  const now = deps.clock()
  let lastKey: WaitlistKey | undefined = { studioId: 0, waitlistEntryId: 0 }
  while (lastKey) {
    const previousKey: WaitlistKey = lastKey
    lastKey = await inTransaction(deps.db, async (tx) => {
      const entries = await lockNextBatch(tx, previousKey, now)
      for (const entry of entries.filter((candidate) => isFulfilled(candidate, now))) {
        const { studioId, waitlistEntryId } = entry
        await tx
          .updateTable('notify_me')
          .set({ notified_at: now })
          .where('studio_id', '=', studioId)
          .where('id', '=', waitlistEntryId)
          .execute()
        await deps.jobs.enqueue(tx, 'send-waitlist-email', { studioId, waitlistEntryId })
      }
      return entries.at(-1)
    })
  }
}

/** Composes the e-mail. One about images does not name the subject. */
const composeMessage = ({ subjectId, event, studio }: { subjectId: number | null; event: string; studio: string }) => {
  const notice = 'You asked us to email you; this is the only email about it.'
  if (subjectId === null) {
    const text = `You can order for ${event} by ${studio} now. ${notice}`
    return { kind: 'event-opened', subject: `${event} is open`, text }
  }
  const text = `The photos you are waiting for at ${event} by ${studio} are online now. ${notice}`
  return { kind: 'photos-published', subject: `New photos: ${event}`, text }
}

/**
 * Mails a link to the job to one entry. A retry sends the same message under the same key. Entries of hidden subjects
 * get none.
 */
export const sendWaitlistEmail = async (deps: Deps, { studioId, waitlistEntryId }: WaitlistKey): Promise<void> => {
  const entry = await deps.db
    .selectFrom('notify_me as w')
    .innerJoin('jobs as j', (join) => join.onRef('j.studio_id', '=', 'w.studio_id').onRef('j.id', '=', 'w.job_id'))
    .innerJoin('studios as s', 's.id', 'w.studio_id')
    .leftJoin('subjects as u', (join) =>
      join.onRef('u.studio_id', '=', 'w.studio_id').onRef('u.id', '=', 'w.subject_id'),
    )
    .select(['w.email', 'w.subject_id', 'w.job_id', 'j.name as event', 's.name as studio', 's.slug'])
    .where('w.studio_id', '=', studioId)
    .where('w.id', '=', waitlistEntryId)
    .where('u.hidden_at', 'is', null)
    .executeTakeFirst()
  if (!entry) return
  const { email, event, studio, slug, job_id: jobId, subject_id: subjectId } = entry
  const link = `${deps.address()}/${slug}/${jobId}`
  const { kind, subject, text } = composeMessage({ subjectId, event, studio })
  await deps.mail.send({
    key: `${kind} ${studioId} ${waitlistEntryId}`,
    studioId,
    kind,
    to: { name: '', email },
    subject: singleLine(subject),
    secrets: [],
    ...emailBodies([text, { link }]),
  })
}

/** Deletes old notified entries. They are stored for some days, because an e-mail may be retried and staff may be asked about it. */
export const purgeNotifiedWaitlist = async (deps: Pick<Deps, 'db' | 'clock' | 'settings'>): Promise<void> => {
  const cutoff = subHours(deps.clock(), (await readSetting(deps.db, deps, 'waitlist-days')) * 24)
  await deps.db.deleteFrom('notify_me').where('notified_at', '<=', cutoff).execute()
}

export const startWaitlistWorkers = async (jobs: BackgroundJobs<typeof queues>, deps: Deps): Promise<void> => {
  await jobs.work('enqueue-waitlist-emails', 1, () => enqueueWaitlistEmails(deps))
  await jobs.work('send-waitlist-email', 2, ({ payload }) => sendWaitlistEmail(deps, payload))
}
