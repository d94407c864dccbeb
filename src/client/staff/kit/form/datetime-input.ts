import { instantAt, wallClock } from '#domain/shared/wall-clock.ts'

/** Formats an instant for a datetime field, in a time zone. */
export const toDateTimeInput = (instant: string | null, timeZone: string): string =>
  instant === null ? '' : wallClock(instant, timeZone)

/** Parses a datetime field into an instant; null if it is empty. */
export const fromDateTimeInput = (inputValue: string, timeZone: string): string | null =>
  inputValue === '' ? null : instantAt(inputValue.slice(0, 16), timeZone)

/** Validates that a datetime field is later than the opening time, which `openingTime` reads from the model. */
export const laterThan =
  <Model>(openingTime: (model: Model) => string) =>
  (value: unknown, model: Model): string | null => {
    const [opens, closes] = [openingTime(model), String(value ?? '')]
    return opens !== '' && closes !== '' && closes <= opens ? 'This must be after the opening time' : null
  }
