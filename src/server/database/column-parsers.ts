import { types } from 'pg'

type ColumnParser = (text: string) => unknown

/** PostgreSQL's ids of built-in types. */
const oid = { bytea: 17, int8: 20, date: 1082, timestamp: 1114, interval: 1186, numeric: 1700 } as const
const arrayOid = { int8: 1016, timestamp: 1115, date: 1182, interval: 1187, numeric: 1231 } as const

const asText: ColumnParser = (text) => text
const asBytes: ColumnParser = (text) => Buffer.from(text.slice(2), 'hex')

/**
 * The JavaScript values of columns, the same on both engines. Types that are not listed here are the same by default.
 *
 * - `int8` (also `count(*)` and `sum` of integers): a number; ids and cents are far below 2^53
 * - `numeric`: a string, because a number would round it
 * - `date`: a string `YYYY-MM-DD`, because a day has no time zone; `timestamptz`: a `Date`
 * - `timestamp` and `interval`: the string that the server sends; no column has these types
 * - `bytea`: a `Buffer`
 * - `json`, `jsonb`: parsed. Values to write must be `JSON.stringify`ed, because the engines treat plain arrays and strings differently
 * - arrays of built-in types: arrays of the above. Arrays of custom types are not supported: the embedded engine reads them only after a
 *   restart.
 */
const parsers: Record<number, ColumnParser> = {
  [oid.int8]: Number,
  [oid.numeric]: asText,
  [oid.date]: asText,
  [oid.timestamp]: asText,
  [oid.interval]: asText,
  [oid.bytea]: asBytes,
}

/** For PGlite, which parses an array by the parser of its elements. */
export const embeddedParsers = parsers

// The types of `pg` list only the scalar types; 1015 is an array of `varchar`.
const parseStringArray: (text: string) => unknown = types.getTypeParser(1015 as number)

const parseArrayOf = (parseElement: ColumnParser) => {
  const read = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(read) : typeof value === 'string' ? parseElement(value) : value
  return (text: string): unknown => read(parseStringArray(text))
}

const postgresParsers: Record<number, ColumnParser> = {
  ...parsers,
  [arrayOid.int8]: parseArrayOf(Number),
  [arrayOid.numeric]: parseArrayOf(asText),
  [arrayOid.date]: parseArrayOf(asText),
  [arrayOid.timestamp]: parseArrayOf(asText),
  [arrayOid.interval]: parseArrayOf(asText),
}

/** The parsers for one pool of `pg`. The global parsers of `pg` are not changed, because the job queue uses them. */
export const postgresTypes = {
  getTypeParser: (typeOid: number, format?: 'text' | 'binary'): ColumnParser =>
    (format !== 'binary' && postgresParsers[typeOid]) || types.getTypeParser(typeOid, format as 'text'), // `pg`'s types list each format separately
}
