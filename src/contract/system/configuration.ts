import { array, boolean, enums, type Infer, nullable, number, object, size, string, type, union } from 'superstruct'
import { settingKeys } from '#domain/configuration/platform-settings.ts'
import { call } from '../shapes/call.ts'
import { Count, Instant, shortText } from '../shapes/primitives.ts'
import { administrators, expectedVersion, readProblems, writeProblems } from '../shapes/staff-call.ts'

const SettingValue = union([boolean(), number(), string()])

/** Who made the last change, and when; null before the first change. */
const lastChange = { changedBy: nullable(string()), changedAt: nullable(Instant), version: Count }

/** The current value of a setting of the platform. The domain's table has its name, kind and limits. */
export const PlatformSetting = type({
  key: enums(settingKeys),
  value: SettingValue,
  /** The value after a reset: that of the environment, or else the initial one. */
  unchangedValue: SettingValue,
  isChanged: boolean(),
  /** The environment variable that sets `unchangedValue`; null if none does. */
  variable: nullable(string()),
  ...lastChange,
})
export type PlatformSetting = Infer<typeof PlatformSetting>

const plan = {
  isOn: boolean(),
  message: shortText(1000),
  from: nullable(Instant),
  until: nullable(Instant),
  noticeHours: number(),
}

/** When the product is closed for everyone but administrators. */
export const MaintenancePlan = object(plan)
export type MaintenancePlan = Infer<typeof MaintenancePlan>

export const PlatformConfiguration = type({
  settings: array(PlatformSetting),
  maintenance: type({
    ...plan,
    state: enums(['open', 'announced', 'closed']),
    /** Whether the environment closes the product, so that it cannot be opened here. */
    isForced: boolean(),
    ...lastChange,
  }),
  /** Whether emails are sent; otherwise they are only logged. */
  sendsMail: boolean(),
})
export type PlatformConfiguration = Infer<typeof PlatformConfiguration>

const configurationPath = '/api/admin/configuration'

/** All settings of the platform, and its maintenance. */
export const getConfiguration = call({
  method: 'GET',
  path: configurationPath,
  who: administrators,
  answer: PlatformConfiguration,
  problems: readProblems,
})

/** Changes the setting with a key, or resets it with null. It applies within two seconds, or in the next run of a background job. */
export const putSetting = call({
  ...getConfiguration,
  method: 'PUT',
  path: `${configurationPath}/settings/:key`,
  params: object({ key: size(string(), 1, 40) }),
  body: object({ value: nullable(union([boolean(), number(), shortText(1000)])), ...expectedVersion }),
  problems: writeProblems,
})

/** Closes or opens the product, or plans when it is closed. Calls of administrators are answered meanwhile. */
export const putMaintenance = call({
  ...getConfiguration,
  method: 'PUT',
  path: `${configurationPath}/maintenance`,
  body: object({ ...plan, ...expectedVersion }),
  problems: writeProblems,
})

/** Sends an email to the administrator, and returns the mail server's answer. */
export const sendTestMail = call({
  ...getConfiguration,
  method: 'POST',
  path: `${configurationPath}/test-mail`,
  body: object({}),
  answer: type({
    to: string(),
    /** `kept`: the email is only logged. */
    state: enums(['kept', 'sent', 'failed']),
    /** What the mail server or the connection to it answered; null if there was none. */
    answer: nullable(string()),
  }),
})
