import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { StudioFilter } from './list-filter.tsx'
import styles from './list-screen.module.css'
import type { ListState } from './use-list.ts'

/** The filters that every log has: studio, and first and last day. */
export const logFilterNames = ['studioId', 'from', 'to'] as const
export type LogFilterName = (typeof logFilterNames)[number]

const startOfDay = (day: string, daysLater = 0): string | undefined => {
  const moment = new Date(`${day}T00:00`)
  if (Number.isNaN(moment.getTime())) return undefined
  moment.setDate(moment.getDate() + daysLater)
  return moment.toISOString()
}

/** The query of a log call: days of the browser's time zone become moments, and the last day is included. */
export const logQuery = <Query extends { from?: string; to?: string; studioId?: string }>({
  from,
  to,
  studioId,
  ...query
}: Query) => ({
  ...query,
  studioId: studioId === undefined ? undefined : Number(studioId),
  from: from === undefined ? undefined : startOfDay(from),
  to: to === undefined ? undefined : startOfDay(to, 1),
})

/** Choices of studio and days for a log. */
export const LogFilters = ({ list }: { list: ListState<LogFilterName> }) => (
  <>
    <StudioFilter list={list} name="studioId" />
    <Field label="From" className={styles.inline}>
      <TextInput type="date" value={list.filters.from ?? ''} onValue={(day) => list.chooseFilter('from', day)} />
    </Field>
    <Field label="To" className={styles.inline}>
      <TextInput type="date" value={list.filters.to ?? ''} onValue={(day) => list.chooseFilter('to', day)} />
    </Field>
  </>
)

const minutes = { year: 'numeric', month: '2-digit', day: '2-digit', hour: 'numeric', minute: '2-digit' } as const

/** Formats the moment of an entry in the browser's time zone, for a list. */
export const formatLogTime = (instant: string): string => new Date(instant).toLocaleString('en-US', minutes)

/** The same to the second and with the time zone, for the entry itself. */
export const formatExactLogTime = (instant: string): string =>
  new Date(instant).toLocaleString('en-US', { ...minutes, second: '2-digit', timeZoneName: 'short' })
