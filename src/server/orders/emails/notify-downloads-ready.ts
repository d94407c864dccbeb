import { sql } from 'kysely'
import { inTransaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { isCurrent } from '#server/images/store/image-conditions.ts'
import { areImagesVisibleToBuyers } from '#server/jobs/store/order-availability.ts'
import type { BackgroundJobs } from '#server/queue/background-jobs.ts'
import type { queues } from '#server/queue/queues.ts'
import type { OrderKey } from '../store/sold-lines.ts'

/** The limit of downloads per run. Each email is a background job of its own, so that an address that fails does not block others. */
const maxPerRun = 500

/**
 * Finds orders whose downloads were bought before there were images, and whose images are visible now. Enqueues one email for each order.
 * `skip locked` leaves the rows of a concurrent run to that run.
 */
export const enqueueDownloadEmails = (deps: Deps): Promise<void> =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock()
    const { rows } = await sql<OrderKey>`
      with due as (
        select d.studio_id, d.id from downloads d
          join orders o on o.studio_id = d.studio_id and o.id = d.order_id and o.state <> 'cancelled'
          join jobs j on j.studio_id = o.studio_id and j.id = o.job_id
          join studios s on s.id = o.studio_id
          join subjects u on u.studio_id = d.studio_id and u.id = d.subject_id and u.hidden_at is null
         where d.kind = 'all' and d.told_at is null and d.revoked_at is null and ${areImagesVisibleToBuyers(now)}
           and exists (select from image_lookups i
                        where i.studio_id = u.studio_id and i.subject_id = u.id and i.kind = 'hosted-individual'
                          and ${isCurrent} and i.state = 'ready' and i.published_at <= ${now}::timestamptz)
         order by d.studio_id, d.id limit ${maxPerRun} for update of d skip locked
      ), notified as (
        update downloads d set told_at = ${now} from due where d.studio_id = due.studio_id and d.id = due.id
        returning d.studio_id, d.order_id
      )
      select distinct studio_id as "studioId", order_id as "orderId" from notified`.execute(tx)
    for (const key of rows) await deps.jobs.enqueue(tx, 'send-download-email', { ...key, madeAt: now.toISOString() })
  })

export const startDownloadEmailWorker = async (jobs: BackgroundJobs<typeof queues>, deps: Deps): Promise<void> => {
  await jobs.work('enqueue-download-emails', 1, () => enqueueDownloadEmails(deps))
}
