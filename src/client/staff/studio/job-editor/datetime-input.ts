import { instantAt, wallClock } from '#domain/shared/wall-clock.ts'

/** Formats an instant for a datetime field, in the studio's time zone. */
export const toDateTimeInput = (instant: string | null, timeZone: string): string =>
  instant === null ? '' : wallClock(instant, timeZone)

/** Parses a datetime field into an instant; null if it is empty. */
export const fromDateTimeInput = (shown: string, timeZone: string): string | null =>
  shown === '' ? null : instantAt(shown.slice(0, 16), timeZone)

/** Rule of a field that must be later than another one. */
export const laterThan =
  <Model>(begins: (model: Model) => string) =>
  (ends: unknown, model: Model): string | null => {
    const [from, to] = [begins(model), String(ends ?? '')]
    return from !== '' && to !== '' && to <= from ? 'This has to be later than the time it opens' : null
  }
