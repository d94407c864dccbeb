import { instantAt, wallClock } from '#domain/shared/wall-clock.ts'

/** An instant as a field shows it: what the studio's clocks say then. */
export const toDateTimeInput = (instant: string | null, timeZone: string): string =>
  instant === null ? '' : wallClock(instant, timeZone)

/** The instant a field says; null for an empty one. */
export const fromDateTimeInput = (shown: string, timeZone: string): string | null =>
  shown === '' ? null : instantAt(shown.slice(0, 16), timeZone)

/** A rule for a field that ends what another one begins. */
export const laterThan =
  <Model>(begins: (model: Model) => string) =>
  (ends: unknown, model: Model): string | null => {
    const [from, to] = [begins(model), String(ends ?? '')]
    return from !== '' && to !== '' && to <= from ? 'This has to be later than the time it opens' : null
  }
