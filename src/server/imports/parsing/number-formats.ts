import { dateOfSerial } from '#domain/imports/spreadsheet.ts'

/** How a number is shown: as a day, as a time of day, with zeros in front up to a length, or as it is. */
type NumberFormat = 'day' | 'time' | 'plain' | { readonly digits: number }

/** What of Excel's own formats is a day or a time (ECMA-376, 18.8.30). */
const builtIn = (id: number): NumberFormat => {
  if ((id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)) return 'day'
  return (id >= 18 && id <= 21) || (id >= 45 && id <= 47) ? 'time' : 'plain'
}

/** What a format only shows, and counts with: quoted texts, escaped letters, colours, languages and elapsed times. */
const shownOnly = /"[^"]{0,255}"|\\.|\[[^[\]]{0,255}\]|_.|\*./g
const elapsed = /^\[(?:h{1,9}|m{1,9}|s{1,9})\]$/i

const ownFormat = (code: string): NumberFormat => {
  const [positive = ''] = code.split(';')
  const bare = positive.replace(shownOnly, (part) => (elapsed.test(part) ? part : ''))
  if (/^0{2,}$/.test(bare)) return { digits: bare.length }
  if (/general/i.test(bare)) return 'plain'
  if (/[dy]/i.test(bare)) return 'day'
  return /[hs]/i.test(bare) ? 'time' : 'plain'
}

/** The format of a cell's number, by the id its style names. */
export const formatOf = (id: number, ownCodes: ReadonlyMap<number, string>): NumberFormat => {
  const code = ownCodes.get(id)
  return code === undefined ? builtIn(id) : ownFormat(code)
}

const timeOf = (serial: number): string => {
  const minutes = Math.round((serial % 1) * 24 * 60)
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
}

/** A number as its reader saw it: what a float has too much at its end is not shown, and a long one has no exponent. */
export const formatNumber = (raw: string, format: NumberFormat, counts: '1900' | '1904'): string => {
  const value = Number(raw)
  if (raw.trim() === '' || !Number.isFinite(value)) return raw
  if (format === 'day') return dateOfSerial(value, counts) ?? raw
  if (format === 'time') return timeOf(value)
  if (Number.isSafeInteger(value)) {
    const digits = String(Math.abs(value)).padStart(format === 'plain' ? 0 : format.digits, '0')
    return value < 0 ? `-${digits}` : digits
  }
  return Number.isInteger(value) ? BigInt(value).toString() : String(Number.parseFloat(value.toPrecision(15)))
}
