import { types } from 'pg'

type ReadColumn = (text: string) => unknown

/** The type numbers PostgreSQL gives its built-in types. */
const oid = { bytea: 17, int8: 20, date: 1082, timestamp: 1114, interval: 1186, numeric: 1700 } as const
const arrayOid = { int8: 1016, timestamp: 1115, date: 1182, interval: 1187, numeric: 1231 } as const

const asIs: ReadColumn = (text) => text
const asBytes: ReadColumn = (text) => Buffer.from(text.slice(2), 'hex')

/**
 * What a column is in JavaScript, the same on both engines; types not named here already agree.
 *
 * - `int8` (also `count(*)` and `sum` of integers): a number; our ids and cents stay far below 2^53
 * - `numeric`: a string, because a number would round it
 * - `date`: a string `YYYY-MM-DD`, because a day has no time zone; `timestamptz`: a `Date`
 * - `timestamp` and `interval`: the string the server sends; no column of ours has them
 * - `bytea`: a `Buffer`
 * - `json`, `jsonb`: parsed. Going in they must be `JSON.stringify`ed: the engines disagree about bare arrays and strings
 * - arrays of built-in types: arrays of the above. (No arrays of own types: the embedded engine reads them only after a restart.)
 */
const readers: Record<number, ReadColumn> = {
  [oid.int8]: Number,
  [oid.numeric]: asIs,
  [oid.date]: asIs,
  [oid.timestamp]: asIs,
  [oid.interval]: asIs,
  [oid.bytea]: asBytes,
}

/** For PGlite, which reads an array by the parser of its elements. */
export const embeddedParsers = readers

// `pg` types only the scalars; 1015 is an array of `varchar`.
const readStrings: (text: string) => unknown = types.getTypeParser(1015 as number)

const readEach = (element: ReadColumn) => {
  const read = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(read) : typeof value === 'string' ? element(value) : value
  return (text: string): unknown => read(readStrings(text))
}

const postgresReaders: Record<number, ReadColumn> = {
  ...readers,
  [arrayOid.int8]: readEach(Number),
  [arrayOid.numeric]: readEach(asIs),
  [arrayOid.date]: readEach(asIs),
  [arrayOid.timestamp]: readEach(asIs),
  [arrayOid.interval]: readEach(asIs),
}

/** For one pool of `pg`; its global table is left alone, because the job queue reads by it. */
export const postgresTypes = {
  getTypeParser: (typeOid: number, format?: 'text' | 'binary'): ReadColumn =>
    (format !== 'binary' && postgresReaders[typeOid]) || types.getTypeParser(typeOid, format as 'text'), // `pg`'s types list each format separately
}
