import type { PlatformConfiguration, PlatformSetting } from '#contract/system/configuration.ts'
import { maintenanceState } from '#domain/configuration/maintenance.ts'
import { type SettingKey, settingKeys } from '#domain/configuration/platform-settings.ts'
import { maintenanceKey, planOf } from '#server/configuration/maintenance-plan.ts'
import { storedValue, unchangedValue } from '#server/configuration/read-settings.ts'
import type { Deps } from '#server/deps.ts'
import { settingVariables } from '#server/env.ts'

/** Reads the rows of `settings`, with the names of those who changed them last. */
const readRows = ({ db }: Deps) =>
  db
    .selectFrom('settings as g')
    .leftJoin('users as u', 'u.id', 'g.updated_by')
    .select(['g.key', 'g.value', 'g.version', 'g.updated_at', 'u.name'])
    .where('g.key', 'in', [...settingKeys, maintenanceKey])
    .execute()

type Row = Awaited<ReturnType<typeof readRows>>[number]

// A row of version 0 was created by a change that was refused.
const lastChangeOf = (row: Row | undefined): Pick<PlatformSetting, 'changedBy' | 'changedAt' | 'version'> =>
  row && row.version > 0
    ? { changedBy: row.name, changedAt: row.updated_at.toISOString(), version: row.version }
    : { changedBy: null, changedAt: null, version: 0 }

const variableOf = ({ settings }: Deps, key: SettingKey): string | null => {
  const [values, variables]: Partial<Record<SettingKey, unknown>>[] = [settings.fromEnvironment, settingVariables]
  return values?.[key] === undefined ? null : String(variables?.[key])
}

const settingOf = (deps: Deps, key: SettingKey, row: Row | undefined): PlatformSetting => {
  const [changed, unchanged] = [storedValue(key, row?.value), unchangedValue(deps, key)]
  return {
    ...{ key, value: changed ?? unchanged, unchangedValue: unchanged, isChanged: changed !== undefined },
    ...{ variable: variableOf(deps, key), ...lastChangeOf(row) },
  }
}

/** Reads every setting with its current value, and the plan of the maintenance. */
export const readConfiguration = async (deps: Deps): Promise<PlatformConfiguration> => {
  const rows = new Map((await readRows(deps)).map((row) => [row.key, row]))
  const planRow = rows.get(maintenanceKey)
  const [plan, isForced] = [planOf(planRow?.value), deps.settings.maintenance]
  return {
    settings: settingKeys.map((key) => settingOf(deps, key, rows.get(key))),
    maintenance: {
      ...plan,
      state: isForced ? 'closed' : maintenanceState(plan, deps.clock()),
      isForced,
      ...lastChangeOf(planRow),
    },
    sendsMail: deps.settings.mail.adapter !== 'log',
  }
}
