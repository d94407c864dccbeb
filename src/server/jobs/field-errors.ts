import { isCalendarDay } from '#domain/shared/dates.ts'
import { fixFieldsMessage } from '#domain/shared/validators.ts'
import { type Problem, problem } from '../http/problem.ts'
import { noSuchDayMessage } from './create-job.ts'

/** Errors of a form by field; empty if it is valid. */
export type FieldErrors = Record<string, string[]>

/** The problem for these errors; undefined if there are none. */
export const fieldErrorsProblem = (fields: FieldErrors): Problem<'refused'> | undefined =>
  Object.keys(fields).length > 0 ? problem('refused', fixFieldsMessage, { fields }) : undefined

/** Errors for days that do not exist in the calendar. */
export const dayErrors = (days: Readonly<Record<string, string | null | undefined>>): FieldErrors =>
  Object.fromEntries(
    Object.entries(days).flatMap(([name, day]) => (day && !isCalendarDay(day) ? [[name, [noSuchDayMessage]]] : [])),
  )

const isInstant = (instant: string): boolean =>
  isCalendarDay(instant.slice(0, 10)) && !Number.isNaN(Date.parse(instant))

/** Errors for invalid timestamps. */
export const instantErrors = (instants: Readonly<Record<string, string | null | undefined>>): FieldErrors =>
  Object.fromEntries(
    Object.entries(instants).flatMap(([name, instant]) =>
      instant && !isInstant(instant) ? [[name, ['Enter a valid date and time']]] : [],
    ),
  )

const closesBeforeOpensMessage = 'This must be after the opening time'

type Span = { opensAt?: string | null | undefined; closesAt?: string | null | undefined }

/** The errors of a time span. An end that is undefined in the input keeps its current value. */
export const spanErrors = (input: Span, current: { opensAt: Date | null; closesAt: Date | null }): FieldErrors => {
  const errors = instantErrors({ opensAt: input.opensAt, closesAt: input.closesAt })
  if (Object.keys(errors).length > 0) return errors
  const timeOf = (value: string | null | undefined, currentValue: Date | null): number | null => {
    if (value === undefined) return currentValue?.getTime() ?? null
    return value === null ? null : Date.parse(value)
  }
  const [opens, closes] = [timeOf(input.opensAt, current.opensAt), timeOf(input.closesAt, current.closesAt)]
  return opens !== null && closes !== null && closes <= opens ? { closesAt: [closesBeforeOpensMessage] } : {}
}
