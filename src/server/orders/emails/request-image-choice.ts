import { subHours } from 'date-fns/subHours'
import { type RawBuilder, sql } from 'kysely'
import { isCustomerEditable } from '#domain/orders/order-states.ts'
import { inTransaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { isCurrent } from '#server/images/store/image-conditions.ts'
import { areImagesVisibleToBuyers } from '#server/jobs/store/order-availability.ts'
import { emailBodies, singleLine } from '#server/mail/email-body.ts'
import type { BackgroundJobs } from '#server/queue/background-jobs.ts'
import type { queues } from '#server/queue/queues.ts'
import type { OrderKey } from '../store/sold-lines.ts'
import { emailCustomer } from './order-emails.ts'

/** The limit of orders per run. Each email is a background job of its own, so that an address that fails does not block others. */
const maxPerRun = 500

/** A request to choose images. Subjects of the same order that are photographed later get another request. */
export type ImageChoiceRequest = OrderKey & { readonly askedAt: string }

/**
 * The time since which images of the subject of line `l`, of job `j` and studio `s`, are visible; null before that and for hidden subjects.
 */
const visibleSince = (now: Date): RawBuilder<Date | null> => sql`(
  select greatest(min(i.published_at), j.published_at, case when j.gallery_enabled then j.gallery_opens_at end)
    from subjects u
    join image_lookups i on i.studio_id = u.studio_id and i.subject_id = u.id
     and i.kind = 'hosted-individual' and ${isCurrent} and i.state = 'ready' and i.published_at <= ${now}::timestamptz
   where u.studio_id = l.studio_id and u.id = l.subject_id and u.state = 'listed' and u.hidden_at is null
     and ${areImagesVisibleToBuyers(now)}
  having count(*) > 0)`

/**
 * Enqueues one email per order that has subjects whose images can be chosen now and who were in no earlier email.
 * An order is due when all these subjects have visible images, or when one of them has had them for a day: an absent
 * subject may be photographed much later, or never. `skip locked` leaves the rows of a concurrent run to that run.
 */
export const enqueueImageChoiceRequests = (deps: Deps): Promise<void> =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock()
    const yesterday = subHours(now, 24)
    const { rows } = await sql<OrderKey>`
      with due as (
        select w.studio_id, w.id, w.job_id from orders w
          join jobs j on j.studio_id = w.studio_id and j.id = w.job_id
          join studios s on s.id = w.studio_id
          join lateral (
            select count(*) as subjects, count(x.since) as ready, min(x.since) as first
              from (select distinct l.subject_id, ${visibleSince(now)} as since from order_lines l
                     where l.studio_id = w.studio_id and l.order_id = w.id and l.needs_poses
                       and l.subject_id is not null and l.poses_asked_at is null) x
          ) t on true
         where w.awaits_poses and w.state in ('placed', 'batched')
           and t.ready > 0 and (t.ready = t.subjects or t.first <= ${yesterday}::timestamptz)
         order by w.studio_id, w.id limit ${maxPerRun} for update of w skip locked
      ), requested as (
        update order_lines l set poses_asked_at = ${now}
          from due d
          join jobs j on j.studio_id = d.studio_id and j.id = d.job_id
          join studios s on s.id = d.studio_id
         where l.studio_id = d.studio_id and l.order_id = d.id and l.poses_asked_at is null and ${visibleSince(now)} is not null
        returning l.studio_id, l.order_id
      )
      select distinct studio_id as "studioId", order_id as "orderId" from requested`.execute(tx)
    for (const key of rows) await deps.jobs.enqueue(tx, 'request-image-choice', { ...key, askedAt: now.toISOString() })
  })

/** Emails a customer that images are ready to choose from. A retry has the same key, so the email is sent once. */
export const requestImageChoice = (deps: Deps, { askedAt, ...order }: ImageChoiceRequest): Promise<void> =>
  emailCustomer(deps, order, {
    kind: 'poses',
    key: `poses ${order.orderId} ${askedAt}`,
    write: ({ state, customer, orderNumber, jobId, jobName, studioName, studioSlug }) =>
      !isCustomerEditable({ state })
        ? null
        : {
            subject: singleLine(`Your photos from ${studioName} are ready to choose`),
            ...emailBodies([
              `The photos of ${jobName} are ready, ${customer.firstName}. Choose the ones for your order ${orderNumber}, and we’ll print it.`,
              { link: `${deps.address()}/${studioSlug}/${jobId}/order/${orderNumber}/images` },
              `On another phone, first find your order by its number and this email address.`,
            ]),
          },
  })

export const startImageChoiceRequestWorkers = async (
  jobs: BackgroundJobs<typeof queues>,
  deps: Deps,
): Promise<void> => {
  await jobs.work('enqueue-image-choice-requests', 1, () => enqueueImageChoiceRequests(deps))
  await jobs.work('request-image-choice', 2, ({ payload }) => requestImageChoice(deps, payload))
}
