import type { MaintenancePlan } from '#contract/system/configuration.ts'
import { maintenanceMessages, maintenanceRules } from '#domain/configuration/maintenance.ts'
import {
  platformSettings,
  type SettingValue,
  settingError,
  settingKeys,
} from '#domain/configuration/platform-settings.ts'
import { fixFieldsMessage, isValid, validate } from '#domain/shared/validators.ts'
import type { User } from '#server/access/tokens/access-token.ts'
import { changedValues, recordAudit } from '#server/audit/audit-log.ts'
import { maintenanceKey, planOf } from '#server/configuration/maintenance-plan.ts'
import { storedValue, unchangedValue } from '#server/configuration/read-settings.ts'
import { inTransaction, type Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { isStale, type Problem, problem } from '#server/http/problem.ts'

type ChangeProblem = Problem<'not-found' | 'conflict' | 'refused'>
type Seen = { readonly version?: number | undefined }

/** Locks a row of `settings`. Creates an empty one of version 0 first, so that two first changes wait for each other too. */
const lockRow = async (tx: Transaction, key: string): Promise<{ value: object; version: number }> => {
  await tx
    .insertInto('settings')
    .values({ key, value: '{}', version: 0 })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
  const query = tx.selectFrom('settings').select(['value', 'version']).where('key', '=', key)
  return await query.forUpdate().executeTakeFirstOrThrow()
}

const writeRow = async (
  tx: Transaction,
  { clock }: Pick<Deps, 'clock'>,
  { key, value, user }: { key: string; value: object; user: User },
): Promise<void> => {
  await tx
    .updateTable('settings')
    .set(({ eb }) => ({
      value: JSON.stringify(value),
      version: eb('version', '+', 1),
      updated_by: user.id,
      updated_at: clock(),
    }))
    .where('key', '=', key)
    .execute()
}

type SettingChange = {
  readonly key: string
  /** Null resets the setting. */
  readonly value: SettingValue | null
  readonly user: User
} & Seen

const trimmed = (value: SettingValue | null): SettingValue | null => (typeof value === 'string' ? value.trim() : value)

/** Changes a setting, or resets it. The row of a reset setting stays, with its version and who reset it. */
export const changeSetting = async (
  deps: Deps,
  { key: requestedKey, user, ...change }: SettingChange,
): Promise<ChangeProblem | undefined> => {
  const key = settingKeys.find((known) => known === requestedKey)
  if (key === undefined) return problem('not-found')
  return await inTransaction(deps.db, async (tx) => {
    const row = await lockRow(tx, key)
    if (isStale(row, change.version)) return problem('conflict')
    const value = trimmed(change.value)
    const error = value === null ? null : settingError(key, value)
    if (error !== null) return problem('refused', fixFieldsMessage, { fields: { value: [error] } })
    await writeRow(tx, deps, { key, value: value === null ? {} : { value }, user })
    const before = { value: storedValue(key, row.value) ?? unchangedValue(deps, key) }
    const after = { value: value ?? unchangedValue(deps, key) }
    const detail = { name: platformSettings[key].label, ...changedValues(before, after) }
    const action = value === null ? 'setting.reset' : 'setting.changed'
    await recordAudit(tx, deps, { studioId: null, action, entityId: key, userId: user.id, detail })
    return undefined
  })
}

/** Why a plan cannot be stored, by field. A window that is over is refused unless it is the one that is stored. */
const planErrors = (plan: MaintenancePlan, before: MaintenancePlan, now: Date): Record<string, string[]> => {
  const isOver = plan.until !== null && plan.until !== before.until && Date.parse(plan.until) <= now.getTime()
  return {
    ...(isOver && { until: [maintenanceMessages.over] }),
    ...validate(plan, maintenanceRules),
  }
}

/** Closes or opens the product, or plans its maintenance. */
export const changeMaintenance = (
  deps: Deps,
  { version, user, ...draft }: MaintenancePlan & Seen & { readonly user: User },
): Promise<ChangeProblem | undefined> =>
  inTransaction(deps.db, async (tx) => {
    const row = await lockRow(tx, maintenanceKey)
    if (isStale(row, version)) return problem('conflict')
    const [before, plan] = [planOf(row.value), { ...draft, message: draft.message.trim() }]
    const fields = planErrors(plan, before, deps.clock())
    if (!isValid(fields)) return problem('refused', fixFieldsMessage, { fields })
    await writeRow(tx, deps, { key: maintenanceKey, value: plan, user })
    await recordAudit(tx, deps, {
      ...{ studioId: null, action: 'maintenance.changed', entityId: maintenanceKey, userId: user.id },
      detail: changedValues(before, plan),
    })
    return undefined
  })
