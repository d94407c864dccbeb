import { sql } from 'kysely'
import { inTransaction } from '../database/in-transaction.ts'
import type { Deps } from '../deps.ts'
import { escaped } from '../http/escaped.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { queues } from '../jobs/queues.ts'
import { oneLine } from '../mail/one-line.ts'
import { type OrderKey, readOrder } from './read-order.ts'

/** Each ask is a job of its own, so that one address that cannot be written to holds up nobody else's. */
const most = 500
const day = 24 * 60 * 60 * 1000

/**
 * Orders whose customers may choose pictures by now and were not asked yet: everybody on them has some out, or somebody has had for a
 * day, since a child who was ill never will.
 */
export const findPosesToAsk = (deps: Deps): Promise<void> =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock()
    const yesterday = new Date(now.getTime() - day)
    const { rows } = await sql<OrderKey>`
      update orders o set poses_asked_at = ${now}
       where (o.studio_id, o.id) in (
         select w.studio_id, w.id from orders w
           join lateral (
             select count(*) as people, count(x.out_since) as out, min(x.out_since) as first
               from (select l.subject_id, min(i.published_at) as out_since
                       from order_lines l
                       left join image_lookups i on i.studio_id = l.studio_id and i.subject_id = l.subject_id
                         and i.kind = 'hosted-individual' and i.state = 'ready' and i.published_at <= ${now}::timestamptz
                      where l.studio_id = w.studio_id and l.order_id = w.id and l.needs_poses
                      group by l.subject_id) x) t on true
          where w.awaits_poses and w.poses_asked_at is null and w.state in ('placed', 'batched')
            and t.out > 0 and (t.out = t.people or t.first <= ${yesterday}::timestamptz)
          order by w.studio_id, w.id limit ${most} for update of w skip locked)
      returning o.studio_id as "studioId", o.id as "orderId"`.execute(tx)
    for (const key of rows) await deps.jobs.enqueue(tx, 'ask-for-poses', key)
  })

/** Tells a customer that their pictures are there to be chosen; again, it is the same message under the same key. */
export const askForPoses = async (deps: Deps, key: OrderKey): Promise<void> => {
  const { studioId, orderId } = key
  const visit = { session: { id: 0 }, job: { studioId, jobId: 0 } }
  const order = await readOrder(deps.db, key, { visit, now: deps.clock() })
  if (!order) return
  const { customer, orderNumber, jobId, jobName, studioName, studioSlug } = order
  const link = `${deps.settings.publicUrl ?? ''}/${studioSlug}/${jobId}/order/${orderNumber}/pictures`
  const sentences = [
    `The pictures of ${jobName} are ready, ${customer.firstName}. Choose which of them go into your order ${orderNumber}; it is printed once you have.`,
    `On another phone than the one you ordered with, find the order first by its number and this e-mail address.`,
  ]
  await deps.mail.send({
    key: `poses ${orderId}`,
    studioId,
    kind: 'poses',
    to: { name: oneLine(`${customer.firstName} ${customer.lastName}`), email: customer.email },
    subject: oneLine(`Your pictures with ${studioName} are ready to choose`),
    text: [sentences[0], link, sentences[1]].join('\n\n'),
    html: [
      '<!doctype html><html lang="en"><body>',
      `<p>${escaped(sentences[0] ?? '')}</p>`,
      `<p><a href="${escaped(link)}">${escaped(link)}</a></p>`,
      `<p>${escaped(sentences[1] ?? '')}</p>`,
      '</body></html>',
    ].join('\n'),
  })
}

export const workOnPoses = async (jobs: Jobs<typeof queues>, deps: Deps): Promise<void> => {
  await jobs.work('find-poses-to-ask', 1, () => findPosesToAsk(deps))
  await jobs.work('ask-for-poses', 2, ({ payload }) => askForPoses(deps, payload))
}
