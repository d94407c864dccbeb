import { is } from 'superstruct'
import { problems } from '#contract/shapes/problems.ts'
import { MaintenancePlan } from '#contract/system/configuration.ts'
import { maintenanceState, noMaintenance } from '#domain/configuration/maintenance.ts'
import type { Db, Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'

/** The key of the row of `settings` that holds the plan. */
export const maintenanceKey = 'maintenance'

/** The plan in a row of `settings`; no maintenance if there is none. */
export const planOf = (value: unknown): MaintenancePlan => (is(value, MaintenancePlan) ? value : noMaintenance)

/** Reads the plan by which the product is closed. */
export const readMaintenancePlan = async (db: Db | Transaction): Promise<MaintenancePlan> => {
  const query = db.selectFrom('settings').select('value').where('key', '=', maintenanceKey)
  return planOf((await query.executeTakeFirst())?.value)
}

/** What parents and staff read while the product is closed by a plan or the environment; undefined while it is open. */
export const closedMessage = (
  { settings, clock }: Pick<Deps, 'settings' | 'clock'>,
  plan: MaintenancePlan,
): string | undefined => {
  if (!settings.maintenance && maintenanceState(plan, clock()) !== 'closed') return undefined
  return plan.message || problems.maintenance.message
}
