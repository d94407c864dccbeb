import {
  platformSettings,
  type SettingKey,
  type SettingValue,
  settingError,
} from '#domain/configuration/platform-settings.ts'
import type { Db, Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'

type EnvironmentDeps = { readonly settings: Pick<Deps['settings'], 'fromEnvironment'> }

/** The value of a setting that no administrator has changed: that of the environment, or else its initial one. */
export const unchangedValue = <Key extends SettingKey>({ settings }: EnvironmentDeps, key: Key): SettingValue<Key> => {
  const values: Partial<Record<SettingKey, SettingValue>> = settings.fromEnvironment
  return (values[key] ?? platformSettings[key].initial) as SettingValue<Key> // both have the value's type
}

/** The value in a row of `settings`: undefined if it was reset, or if the setting can no longer have it. */
export const storedValue = (key: SettingKey, value: object | undefined): SettingValue | undefined => {
  const stored: unknown = value && 'value' in value ? value.value : undefined
  return settingError(key, stored) === null ? (stored as SettingValue) : undefined // just checked
}

/** Reads the current values of some settings, in one statement. */
export const readSettings = async <Key extends SettingKey>(
  db: Db | Transaction,
  deps: EnvironmentDeps,
  keys: readonly Key[],
): Promise<{ readonly [Name in Key]: SettingValue<Name> }> => {
  const rows = await db.selectFrom('settings').select(['key', 'value']).where('key', 'in', keys).execute()
  const stored = new Map<string, object>(rows.map(({ key, value }) => [key, value]))
  const values = keys.map((key) => [key, storedValue(key, stored.get(key)) ?? unchangedValue(deps, key)])
  return Object.fromEntries(values) // `settingError` checked that each value has the type of its key
}

/** Reads the current value of a setting. */
export const readSetting = async <Key extends SettingKey>(
  db: Db | Transaction,
  deps: EnvironmentDeps,
  key: Key,
): Promise<SettingValue<Key>> => (await readSettings(db, deps, [key]))[key]

/** Reads the sender of emails, and the address for replies; empty if replies go to the sender. */
export const readMailSender = async (
  db: Db,
  deps: EnvironmentDeps,
): Promise<{ name: string; address: string; replyTo: string }> => {
  const values = await readSettings(db, deps, ['mail-sender-name', 'mail-sender-address', 'mail-reply-to'])
  return {
    name: values['mail-sender-name'],
    address: values['mail-sender-address'],
    replyTo: values['mail-reply-to'],
  }
}
