import { sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { patchPreorder } from '#contract/studio/job-settings.ts'
import { deliveryDaysErrors } from '#domain/orders/arrival.ts'
import type { Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { type JobChange, type JobChangeProblem, withLockedJob, writeJob } from './change-job.ts'
import { dayErrors, fieldErrorsProblem, spanErrors } from './field-errors.ts'

/** The end of a day in the studio's time zone. */
const endOfDay = async (tx: Transaction, studioId: number, day: string): Promise<Date | null> => {
  const { rows } = await sql<{ at: Date }>`
    select (${day}::date + 1)::timestamp at time zone s.time_zone as at from studios s where s.id = ${studioId}`.execute(
    tx,
  )
  return rows[0]?.at ?? null
}

type Preorder = Infer<(typeof patchPreorder)['body']>

/** Changes the preorder settings: when customers may order before picture day, and how orders are shipped. */
export const changePreorder = (
  deps: Deps,
  request: JobChange,
  input: Preorder,
): Promise<undefined | JobChangeProblem> =>
  withLockedJob(deps, request, async ({ tx, row }) => {
    const { enabled, opensAt, closesAt, importedData, shipsHome, shipsBatch, batchClosesOn, freeShippingUntil } = input
    const { deliveryDaysFrom, deliveryDaysTo, handedOutOn } = input
    const invalid = fieldErrorsProblem({
      ...spanErrors(input, { opensAt: row.prepay_opens_at, closesAt: row.prepay_closes_at }),
      ...dayErrors({ batchClosesOn, freeShippingUntil, handedOutOn }),
      ...deliveryDaysErrors({
        deliveryDaysFrom: deliveryDaysFrom === undefined ? row.delivery_days_from : deliveryDaysFrom,
        deliveryDaysTo: deliveryDaysTo === undefined ? row.delivery_days_to : deliveryDaysTo,
      }),
    })
    if (invalid) return invalid
    const change = {
      ...(enabled !== undefined && { prepay_enabled: enabled }),
      ...(opensAt !== undefined && { prepay_opens_at: opensAt }),
      ...(closesAt !== undefined && { prepay_closes_at: closesAt }),
      ...(importedData !== undefined && { prepay_imported_data: importedData }),
      ...(shipsHome !== undefined && { ships_home: shipsHome }),
      ...(shipsBatch !== undefined && { ships_batch: shipsBatch }),
      ...(freeShippingUntil !== undefined && { free_shipping_until: freeShippingUntil }),
      ...(deliveryDaysFrom !== undefined && { delivery_days_from: deliveryDaysFrom }),
      ...(deliveryDaysTo !== undefined && { delivery_days_to: deliveryDaysTo }),
      ...(handedOutOn !== undefined && { handed_out_on: handedOutOn }),
      ...(batchClosesOn !== undefined && {
        batch_closes_at: batchClosesOn === null ? null : await endOfDay(tx, row.studio_id, batchClosesOn),
      }),
    }
    await writeJob(tx, deps, { job: request.job, change })
    return undefined
  })
