import { dateOfSerial } from '#domain/imports/spreadsheet.ts'

/** How a number is displayed: as a date, as a time, with leading zeros up to a length, or unchanged. */
type NumberFormat = 'day' | 'time' | 'plain' | { readonly digits: number }

/** The display of Excel's built-in formats (ECMA-376, 18.8.30). */
const builtInFormat = (id: number): NumberFormat => {
  if ((id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)) return 'day'
  return (id >= 18 && id <= 21) || (id >= 45 && id <= 47) ? 'time' : 'plain'
}

/** Parts of a format that do not describe the number: quoted text, escaped letters, colors and locales. Elapsed times match it too. */
const literalParts = /"[^"]{0,255}"|\\.|\[[^[\]]{0,255}\]|_.|\*./g
const elapsedTime = /^\[(?:h{1,9}|m{1,9}|s{1,9})\]$/i

const customFormat = (code: string): NumberFormat => {
  const [positive = ''] = code.split(';')
  const withoutLiterals = positive.replace(literalParts, (part) => (elapsedTime.test(part) ? part : ''))
  if (/^0{2,}$/.test(withoutLiterals)) return { digits: withoutLiterals.length }
  if (/general/i.test(withoutLiterals)) return 'plain'
  if (/[dy]/i.test(withoutLiterals)) return 'day'
  return /[hs]/i.test(withoutLiterals) ? 'time' : 'plain'
}

/** The format of a cell's number, by the id in its style. */
export const formatOf = (id: number, customCodes: ReadonlyMap<number, string>): NumberFormat => {
  const code = customCodes.get(id)
  return code === undefined ? builtInFormat(id) : customFormat(code)
}

const timeOf = (serial: number): string => {
  const minutes = Math.round((serial % 1) * 24 * 60)
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
}

/** A number as Excel displays it: without floating-point noise, and without an exponent. */
export const formatNumber = (raw: string, format: NumberFormat, dateSystem: '1900' | '1904'): string => {
  const value = Number(raw)
  if (raw.trim() === '' || !Number.isFinite(value)) return raw
  if (format === 'day') return dateOfSerial(value, dateSystem) ?? raw
  if (format === 'time') return timeOf(value)
  if (Number.isSafeInteger(value)) {
    const digits = String(Math.abs(value)).padStart(format === 'plain' ? 0 : format.digits, '0')
    return value < 0 ? `-${digits}` : digits
  }
  return Number.isInteger(value) ? BigInt(value).toString() : String(Number.parseFloat(value.toPrecision(15)))
}
