import { type RawBuilder, sql } from 'kysely'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { orderMethods } from '#domain/catalogue/catalogue.ts'
import type { Transaction } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
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

/** A request to be mailed when a job opens, or when the first image of one subject is published. */
export type WaitlistKey = { readonly studioId: number; readonly wishId: number }

/** What an entry of the waitlist waits for, as stored; `photos_show` is true where no subject is named. */
export type WaitedFor = OrderAvailabilityRow & { order_method: OrderMethod | null; photos_show: boolean }

type WaitlistRow = WaitedFor & WaitlistKey

/** Whether job `j` of studio `s` shows an image of this subject's own; true without a subject, false for a hidden one. */
export const showsSubjectImages = (subjectId: RawBuilder<unknown>, now: Date): RawBuilder<boolean> => sql`(
  ${subjectId} is null or exists (
    select from subjects u where u.studio_id = j.studio_id and u.job_id = j.id and u.id = ${subjectId}
       and u.state = 'listed' and u.hidden_at is null and exists (select from ${shownImages(now)})))`

/** How many entries one transaction examines. */
const most = 500

const nextWaiting = async (tx: Transaction, { studioId, wishId }: WaitlistKey, now: Date): Promise<WaitlistRow[]> => {
  const { rows } = await sql<WaitlistRow>`
    select w.studio_id as "studioId", w.id as "wishId", w.order_method, ${orderAvailabilityColumns(now)},
           ${showsSubjectImages(sql`w.subject_id`, now)} as photos_show
      from notify_me w
      join jobs j on j.studio_id = w.studio_id and j.id = w.job_id
      join studios s on s.id = w.studio_id
     where (w.studio_id, w.id) > (${studioId}::bigint, ${wishId}::bigint)
       and w.notified_at is null and j.archived_at is null and (j.prepay_enabled or j.gallery_enabled)
     order by w.studio_id, w.id limit ${most} for update of w skip locked`.execute(tx)
  return rows
}

/** Whether the wait is over: orders can be placed by the named method, or by any, and the subject's images are shown. */
export const isThere = (asked: WaitedFor, now: Date): boolean => {
  if (!asked.photos_show) return false
  const opening = orderAvailabilityOf(asked, now)
  const methods = asked.order_method === null ? orderMethods : [asked.order_method]
  return methods.some((method) => opening[method].available)
}

/**
 * Examines the waitlist. Each entry whose job takes orders and shows the images waited for gets a mail job of its own, so that an address
 * that fails delays no other.
 */
export const enqueueWaitlistEmails = async (deps: Deps): Promise<void> => {
  const now = deps.clock()
  let last: WaitlistKey | undefined = { studioId: 0, wishId: 0 }
  while (last) {
    const after: WaitlistKey = last
    last = await inTransaction(deps.db, async (tx) => {
      const waiting = await nextWaiting(tx, after, now)
      for (const one of waiting.filter((each) => isThere(each, now))) {
        const { studioId, wishId } = one
        await tx
          .updateTable('notify_me')
          .set({ notified_at: now })
          .where('studio_id', '=', studioId)
          .where('id', '=', wishId)
          .execute()
        await deps.jobs.enqueue(tx, 'send-waitlist-email', { studioId, wishId })
      }
      return waiting.at(-1)
    })
  }
}

/** The text of the e-mail. One about images does not name the subject. */
const wordsOf = ({ subjectId, event, studio }: { subjectId: number | null; event: string; studio: string }) => {
  const only = 'You asked us to tell you; this is the only mail about it.'
  if (subjectId === null) {
    const sentence = `You can order for ${event} by ${studio} now. ${only}`
    return { kind: 'event-opened', subject: `${event} is open`, sentence }
  }
  const sentence = `The photos you are waiting for at ${event} by ${studio} are online now. ${only}`
  return { kind: 'photos-published', subject: `New photos: ${event}`, sentence }
}

/** Mails one entry a link to the job; a retry sends the same message under the same key. A hidden subject's entry gets none. */
export const sendWaitlistEmail = async (deps: Deps, { studioId, wishId }: WaitlistKey): Promise<void> => {
  const wish = await deps.db
    .selectFrom('notify_me as w')
    .innerJoin('jobs as j', (join) => join.onRef('j.studio_id', '=', 'w.studio_id').onRef('j.id', '=', 'w.job_id'))
    .innerJoin('studios as s', 's.id', 'w.studio_id')
    .leftJoin('subjects as u', (join) =>
      join.onRef('u.studio_id', '=', 'w.studio_id').onRef('u.id', '=', 'w.subject_id'),
    )
    .select(['w.email', 'w.subject_id', 'w.job_id', 'j.name as event', 's.name as studio', 's.slug'])
    .where('w.studio_id', '=', studioId)
    .where('w.id', '=', wishId)
    .where('u.hidden_at', 'is', null)
    .executeTakeFirst()
  if (!wish) return
  const { email, event, studio, slug, job_id: jobId, subject_id: subjectId } = wish
  const link = `${deps.address()}/${slug}/${jobId}`
  const { kind, subject, sentence } = wordsOf({ subjectId, event, studio })
  await deps.mail.send({
    key: `${kind} ${studioId} ${wishId}`,
    studioId,
    kind,
    to: { name: '', email },
    subject: singleLine(subject),
    secrets: [],
    ...emailBodies([sentence, { link }]),
  })
}

const keptDays = 30

/** Deletes notified entries after a while; until then the e-mail may still be in transit, and staff may be asked about it. */
export const purgeNotifiedWaitlist = async ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> => {
  const before = new Date(clock().getTime() - keptDays * 24 * 60 * 60 * 1000)
  await db.deleteFrom('notify_me').where('notified_at', '<=', before).execute()
}

export const workOnWaitlist = async (jobs: BackgroundJobs<typeof queues>, deps: Deps): Promise<void> => {
  await jobs.work('enqueue-waitlist-emails', 1, () => enqueueWaitlistEmails(deps))
  await jobs.work('send-waitlist-email', 2, ({ payload }) => sendWaitlistEmail(deps, payload))
}
