/** Milliseconds by which the clocks of a time zone are ahead of UTC at an instant. */
const aheadAt = (instant: number, timeZone: string): number => {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(instant)
  const part = (type: Intl.DateTimeFormatPartTypes): number =>
    Number(parts.find((one) => one.type === type)?.value ?? 0)
  const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return shown - Math.floor(instant / 1000) * 1000
}

/** What the clocks of a time zone show at an instant (ISO 8601), as a date and time field takes it: `2027-04-15T08:00`. */
export const wallClock = (instant: string, timeZone: string): string => {
  const at = Date.parse(instant)
  return new Date(at + aheadAt(at, timeZone)).toISOString().slice(0, 16)
}

/**
 * The instant (ISO 8601 in UTC) at which the clocks of a time zone show `2027-04-15T08:00`; null for what no calendar has. Of an hour
 * that clocks show twice it is the first, and one they skip is an hour later.
 */
export const instantAt = (shown: string, timeZone: string): string | null => {
  const asUtc = Date.parse(`${shown}Z`)
  if (Number.isNaN(asUtc) || new Date(asUtc).toISOString().slice(0, 16) !== shown) return null
  // The zone's offset is one of those a day before and after: clocks change less often than that.
  const day = 24 * 60 * 60 * 1000
  const [before, after] = [aheadAt(asUtc - day, timeZone), aheadAt(asUtc + day, timeZone)]
  const candidates = [asUtc - before, asUtc - after].filter((at) => at + aheadAt(at, timeZone) === asUtc)
  const at = candidates.length > 0 ? Math.min(...candidates) : asUtc - before
  return new Date(at).toISOString()
}
