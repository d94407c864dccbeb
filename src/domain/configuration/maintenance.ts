import type { Rules } from '../shared/validators.ts'
import { wholeNumber } from '../studio/rates.ts'

/** When the product is closed for everyone but administrators. */
export type MaintenancePlan = {
  /** Whether it is closed now, until an administrator ends it. */
  readonly isOn: boolean
  /** What parents and staff read; empty for the usual message. */
  readonly message: string
  /** The planned window (ISO 8601 UTC); both or neither. */
  readonly from: string | null
  readonly until: string | null
  /** How many hours before the window it is announced. */
  readonly noticeHours: number
}

export const noMaintenance: MaintenancePlan = { isOn: false, message: '', from: null, until: null, noticeHours: 24 }

/** The state of the product by a plan: open, open with an announcement, or closed. */
export type MaintenanceState = 'open' | 'announced' | 'closed'

export const maxMessageLength = 300
/** The longest window: a mistyped day must not close the product for weeks. */
export const maxWindowHours = 72
const maxNoticeHours = 168

export const maintenanceMessages = {
  bothTimes: 'Enter both times, or neither',
  order: 'The end must be after the start',
  length: `The window can have at most ${maxWindowHours} hours`,
  over: 'This time is over',
  message: `Enter at most ${maxMessageLength} characters`,
  notice: `Enter a whole number of hours from 0 to ${maxNoticeHours}`,
} as const

const hourMs = 60 * 60 * 1000

const windowError = ({ from, until }: MaintenancePlan): string | null => {
  if (from === null || until === null) return from === until ? null : maintenanceMessages.bothTimes
  const lengthMs = Date.parse(until) - Date.parse(from)
  if (lengthMs <= 0) return maintenanceMessages.order
  return lengthMs > maxWindowHours * hourMs ? maintenanceMessages.length : null
}

export const maintenanceRules: Rules<MaintenancePlan> = {
  message: (value) => (String(value).trim().length <= maxMessageLength ? null : maintenanceMessages.message),
  until: (_, plan) => windowError(plan),
  noticeHours: wholeNumber(0, maxNoticeHours, maintenanceMessages.notice),
}

/** The state at an instant. The window includes its start, not its end. */
export const maintenanceState = ({ isOn, from, until, noticeHours }: MaintenancePlan, now: Date): MaintenanceState => {
  if (isOn) return 'closed'
  if (from === null || until === null || now.getTime() >= Date.parse(until)) return 'open'
  if (now.getTime() >= Date.parse(from)) return 'closed'
  return now.getTime() >= Date.parse(from) - noticeHours * hourMs ? 'announced' : 'open'
}

const formatTime = (instant: string, timeZone: string): string =>
  new Date(instant).toLocaleString('en-US', {
    ...{ month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
    timeZoneName: 'short',
    timeZone,
  })

/** What is announced of a planned window, in the local time of a time zone; null while nothing is announced. */
export const maintenanceNotice = (plan: MaintenancePlan, now: Date, timeZone: string): string | null => {
  const { from, until } = plan
  if (from === null || until === null || maintenanceState(plan, now) !== 'announced') return null
  return `Ordering is closed for maintenance from ${formatTime(from, timeZone)} to ${formatTime(until, timeZone)}`
}
