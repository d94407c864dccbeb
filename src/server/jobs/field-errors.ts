import { isCalendarDay } from '#domain/shared/dates.ts'
import { fixFieldsMessage } from '#domain/shared/validators.ts'
import { type Problem, problem } from '../http/problem.ts'
import { noSuchDayMessage } from './create-job.ts'

/** What is wrong with a form, by its fields; nothing where all is well. */
export type FieldErrors = Record<string, string[]>

/** The refusal of a form with these errors; undefined where there are none. */
export const fieldErrorsProblem = (fields: FieldErrors): Problem<'refused'> | undefined =>
  Object.keys(fields).length > 0 ? problem('refused', fixFieldsMessage, { fields }) : undefined

/** Days that are in no calendar. */
export const dayErrors = (days: Readonly<Record<string, string | null | undefined>>): FieldErrors =>
  Object.fromEntries(
    Object.entries(days).flatMap(([name, day]) => (day && !isCalendarDay(day) ? [[name, [noSuchDayMessage]]] : [])),
  )

const isInstant = (at: string): boolean => isCalendarDay(at.slice(0, 10)) && !Number.isNaN(Date.parse(at))

/** Times that no clock ever shows. */
export const instantErrors = (instants: Readonly<Record<string, string | null | undefined>>): FieldErrors =>
  Object.fromEntries(
    Object.entries(instants).flatMap(([name, at]) => (at && !isInstant(at) ? [[name, ['There is no such time']]] : [])),
  )

const backwards = 'This has to be later than the time it opens'

type Span = { opensAt?: string | null | undefined; closesAt?: string | null | undefined }

/** What is wrong with a span, of which only a part may be said anew. */
export const spanErrors = (said: Span, kept: { opensAt: Date | null; closesAt: Date | null }): FieldErrors => {
  const wrong = instantErrors({ opensAt: said.opensAt, closesAt: said.closesAt })
  if (Object.keys(wrong).length > 0) return wrong
  const at = (value: string | null | undefined, known: Date | null): number | null => {
    if (value === undefined) return known?.getTime() ?? null
    return value === null ? null : Date.parse(value)
  }
  const [opens, closes] = [at(said.opensAt, kept.opensAt), at(said.closesAt, kept.closesAt)]
  return opens !== null && closes !== null && closes <= opens ? { closesAt: [backwards] } : {}
}
