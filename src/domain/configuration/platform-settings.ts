import { email, validationMessages } from '../shared/validators.ts'
import { formatPercent } from '../studio/rates.ts'

// What administrators of the platform can change while the server runs. A setting is listed only if it has an effect.

/** The groups of the settings, in the order of the screen. */
export const settingGroups = ['Studios', 'Access', 'Retention', 'Email'] as const

type SettingTexts = {
  readonly group: (typeof settingGroups)[number]
  readonly label: string
  /** What the setting does, in one or two sentences. */
  readonly description: string
}

/** A setting by its kind. `unit` is the plural of what a number counts. */
export type SettingDefinition = SettingTexts &
  (
    | { readonly kind: 'switch'; readonly initial: boolean }
    | {
        readonly kind: 'number'
        readonly unit: string
        readonly min: number
        readonly max: number
        readonly initial: number
      }
    | { readonly kind: 'text'; readonly maxLength: number; readonly initial: string }
    | { readonly kind: 'email'; readonly isOptional: boolean; readonly initial: string }
  )

const days = { kind: 'number', unit: 'days', min: 1, max: 730 } as const
const gigabytes = { kind: 'number', unit: 'GB', min: 1, max: 1_000_000 } as const

/** Every setting. `initial` applies until an administrator changes it, unless the environment of the server has a value. */
export const platformSettings = {
  'registration-open': {
    group: 'Studios',
    label: 'Studios can register',
    description: 'Anyone can set up a studio. If this is off, only administrators create studios.',
    kind: 'switch',
    initial: true,
  },
  'registrations-per-hour': {
    group: 'Studios',
    label: 'Registrations of one address',
    description: 'How many studios can register from one network address within an hour.',
    ...{ kind: 'number', unit: 'studios', min: 1, max: 1000, initial: 10 },
  },
  'registration-fee': {
    group: 'Studios',
    label: 'Fee of new studios',
    description:
      'The platform fee of studios that register from now on. 100 basis points are 1% of a payment. Other studios keep their fee.',
    ...{ kind: 'number', unit: 'basis points', min: 0, max: 10_000, initial: 0 },
  },
  'studio-storage': {
    group: 'Studios',
    label: 'Storage of a studio',
    description: 'What a studio can store. A studio that has more keeps its images, and cannot add any.',
    ...gigabytes,
    initial: 2_000,
  },
  'unverified-storage': {
    group: 'Studios',
    label: 'Storage of an unverified studio',
    description: 'The same before a studio is verified; at most the storage of a studio.',
    ...gigabytes,
    initial: 20,
  },
  'sign-in-days': {
    group: 'Access',
    label: 'Sign-in of an unused device',
    description: 'How long a device stays signed in without use. It applies to a device from its next use.',
    ...days,
    initial: 30,
  },
  'open-invitations': {
    group: 'Access',
    label: 'Open invitations of a studio',
    description: 'How many invitations of one studio can wait for an answer at the same time.',
    ...{ kind: 'number', unit: 'invitations', min: 1, max: 1000, initial: 50 },
  },
  'requests-per-minute': {
    group: 'Access',
    label: 'Requests of one address',
    description:
      'How many requests one network address can send to one server within a minute. All parents in a school may share one address.',
    ...{ kind: 'number', unit: 'requests', min: 300, max: 100_000_000, initial: 30_000 },
  },
  'log-months': {
    group: 'Retention',
    label: 'Logs of emails and tax requests',
    description: 'How long their entries are stored.',
    ...{ kind: 'number', unit: 'months', min: 1, max: 120, initial: 13 },
  },
  'mail-text-days': {
    group: 'Retention',
    label: 'Texts of emails',
    description: 'How long the texts and recipients of sent emails are stored. They name children.',
    ...days,
    initial: 90,
  },
  'import-days': {
    group: 'Retention',
    label: 'Imports',
    description: 'How long an imported list is stored. It can be undone until then.',
    ...days,
    initial: 90,
  },
  'upload-days': {
    group: 'Retention',
    label: 'Results of uploads',
    description: 'How long staff see what became of an uploaded file. Images are not deleted.',
    ...days,
    initial: 90,
  },
  'typed-subject-days': {
    group: 'Retention',
    label: 'Children without an order',
    description:
      'How long a child is stored that a parent entered and did not order for. After that, packages for the child leave the cart.',
    ...days,
    initial: 60,
  },
  'waitlist-days': {
    group: 'Retention',
    label: 'Waiting list',
    description: 'How long the email address from a waiting list for photos is stored after the email was sent.',
    ...days,
    initial: 30,
  },
  'mail-sender-name': {
    group: 'Email',
    label: 'Name of the sender',
    description: 'The name from which all emails come.',
    ...{ kind: 'text', maxLength: 100, initial: '' },
  },
  'mail-sender-address': {
    group: 'Email',
    label: 'Address of the sender',
    description: 'The address from which all emails come. The mail server must be allowed to send from it.',
    ...{ kind: 'email', isOptional: false, initial: '' },
  },
  'mail-reply-to': {
    group: 'Email',
    label: 'Address for replies',
    description: 'Where replies to emails go. If it is empty, they go to the sender.',
    ...{ kind: 'email', isOptional: true, initial: '' },
  },
} as const satisfies Record<string, SettingDefinition>

export type SettingKey = keyof typeof platformSettings

export const settingKeys = Object.keys(platformSettings) as SettingKey[] // the keys of the table

type ValueOfKind = { switch: boolean; number: number; text: string; email: string }
/** The value of a setting. */
export type SettingValue<Key extends SettingKey = SettingKey> = ValueOfKind[(typeof platformSettings)[Key]['kind']]

const isEmail = email<unknown>()

/** Why a setting cannot have a value; null if it can. */
export const settingError = (key: SettingKey, value: unknown): string | null => {
  const definition: SettingDefinition = platformSettings[key]
  if (definition.kind === 'switch') return typeof value === 'boolean' ? null : 'Choose on or off'
  if (definition.kind === 'number') {
    const { min, max } = definition
    const isInRange = typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
    return isInRange ? null : `Enter a whole number from ${min} to ${max}`
  }
  if (typeof value !== 'string') return validationMessages.required
  if (definition.kind === 'email') return definition.isOptional && value === '' ? null : isEmail(value, {})
  if (/\p{Cc}/u.test(value)) return 'Enter one line of text'
  return value.length <= definition.maxLength ? null : `Enter at most ${definition.maxLength} characters`
}

/** A value as people read it: “30 days”, “On”. */
export const settingLabel = (key: SettingKey, value: SettingValue): string => {
  const definition: SettingDefinition = platformSettings[key]
  if (typeof value === 'boolean') return value ? 'On' : 'Off'
  if (typeof value === 'string') return value === '' ? 'None' : value
  const unit = definition.kind === 'number' ? definition.unit : ''
  if (unit === 'basis points') return `${value.toLocaleString('en-US')} basis points (${formatPercent(value)})`
  return `${value.toLocaleString('en-US')} ${value === 1 ? unit.replace(/s$/, '') : unit}`
}
