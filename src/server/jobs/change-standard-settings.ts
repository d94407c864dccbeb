import { sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { patchStandard } from '#contract/studio/job-settings.ts'
import { toCents } from '#domain/pricing/money.ts'
import type { Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { problem } from '../http/problem.ts'
import { type JobChange, type JobChangeProblem, withLockedJob, writeJob } from './change-job.ts'

type Standard = Infer<(typeof patchStandard)['body']>

const offerServices = async (
  tx: Transaction,
  { studioId, jobId }: JobChange['job'],
  { services, now }: { services: NonNullable<Standard['services']>; now: Date },
): Promise<void> => {
  for (const { orderServiceId, price, enabled } of services) {
    await sql`
      insert into job_order_services as e (studio_id, job_id, order_service_id, price_cents, is_enabled, position)
      select ${studioId}, ${jobId}, v.id, ${toCents(price)}, ${enabled}, v.position
        from order_services v where v.id = ${orderServiceId}
      on conflict (studio_id, job_id, order_service_id) do update
        set price_cents = excluded.price_cents, is_enabled = excluded.is_enabled, version = e.version + 1, updated_at = ${now}`.execute(
      tx,
    )
  }
}

/**
 * Whether a job may offer these services: services of the platform that are not archived, and archived services that
 * the job already offers.
 */
const mayOffer = async (tx: Transaction, job: JobChange['job'], ids: readonly number[]): Promise<boolean> => {
  const { rows } = await sql<{ id: number }>`
    select v.id from order_services v where v.archived_at is null or exists (
      select from job_order_services k
       where k.studio_id = ${job.studioId} and k.job_id = ${job.jobId} and k.order_service_id = v.id)`.execute(tx)
  const allowedIds = new Set(rows.map(({ id }) => id))
  return ids.every((id) => allowedIds.has(id))
}

/** Changes the services that a job offers with their prices, and on which products names are printed. */
export const changeStandard = (
  deps: Deps,
  request: JobChange,
  input: Standard,
): Promise<undefined | JobChangeProblem> =>
  withLockedJob(deps, request, async ({ tx }) => {
    const { allowRetouch, allowNameOnAllPrints, allowNameOnWallets, imageLevelService, services = [] } = input
    const ids = services.map(({ orderServiceId }) => orderServiceId)
    if (!(await mayOffer(tx, request.job, ids)))
      return problem('refused', 'One of these services is not offered any more. Check the latest list')
    await offerServices(tx, request.job, { services, now: deps.clock() })
    const change = {
      ...(allowRetouch !== undefined && { allow_retouch: allowRetouch }),
      ...(allowNameOnAllPrints !== undefined && { allow_name_on_all_prints: allowNameOnAllPrints }),
      ...(allowNameOnWallets !== undefined && { allow_name_on_wallets: allowNameOnWallets }),
      ...(imageLevelService !== undefined && { image_level_service: imageLevelService }),
    }
    await writeJob(tx, deps, { job: request.job, change })
    return undefined
  })
