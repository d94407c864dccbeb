/** The UTC offset of a time zone at an instant, in milliseconds. */
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

/**
 * The local time of a time zone at an instant (ISO 8601), in the format of a date and time field: `2027-04-15T08:00`.
 */
export const wallClock = (instant: string, timeZone: string): string => {
  const at = Date.parse(instant)
  return new Date(at + aheadAt(at, timeZone)).toISOString().slice(0, 16)
}

/**
 * The instant (ISO 8601 in UTC) of the local time `2027-04-15T08:00` in a time zone; null if the date does not exist.
 * When clocks are set back, the first of both instants; a time that is skipped moves one hour later.
 */
export const instantAt = (shown: string, timeZone: string): string | null => {
  const asUtc = Date.parse(`${shown}Z`)
  if (Number.isNaN(asUtc) || new Date(asUtc).toISOString().slice(0, 16) !== shown) return null
  // The offset is that of the day before or of the day after: clocks change less often than that.
  const day = 24 * 60 * 60 * 1000
  const [before, after] = [aheadAt(asUtc - day, timeZone), aheadAt(asUtc + day, timeZone)]
  const candidates = [asUtc - before, asUtc - after].filter((at) => at + aheadAt(at, timeZone) === asUtc)
  const at = candidates.length > 0 ? Math.min(...candidates) : asUtc - before
  return new Date(at).toISOString()
}
