import { coerce, define, enums, type Infer, min, object, pattern, refine, size, string, unknown } from 'superstruct'
import { orderMethods } from '#domain/catalogue/catalogue.ts'

/** A whole number. Beyond the safe integers, a parsed number differs from the written one. */
export const WholeNumber = define<number>('Whole', Number.isSafeInteger)

const digits = (text: unknown): unknown => (typeof text === 'string' && /^-?\d{1,15}$/.test(text) ? Number(text) : text)

/** A database id; also parsed from paths and queries, where everything is text. */
export const Id = coerce(min(WholeNumber, 1), unknown(), digits)

/** Maximum of an `integer` column of the database: versions, positions and counts are such columns. */
const largestInteger = 2_147_483_647

export const Count = coerce(
  define<number>('Count', (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= largestInteger),
  string(),
  digits,
)

/** A file size in bytes: can exceed a `Count`. */
export const Bytes = min(WholeNumber, 0)

/** Whole cents, never negative. */
export const Cents = min(WholeNumber, 0)

/** Decimal dollars with at most two decimals. */
export const Dollars = define<number>(
  'Dollars',
  (value) => typeof value === 'number' && value >= 0 && Math.abs(value * 100 - Math.round(value * 100)) < 1e-6,
)

export const Uuid = pattern(string(), /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)

/** ISO 8601 in UTC, as `Date.prototype.toISOString` writes it. */
export const Instant = refine(
  pattern(string(), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/),
  'date',
  (text) => !Number.isNaN(Date.parse(text)),
)

/** A calendar day, `2027-04-15`. */
export const Day = pattern(string(), /^\d{4}-\d\d-\d\d$/)

export const Slug = pattern(string(), /^[a-z0-9][a-z0-9-]{0,62}$/)

/** User input with a maximum length, so that no field can hold megabytes. */
export const shortText = (maxLength = 200) => size(string(), 0, maxLength)

export const OrderMethod = enums(orderMethods)

export const Nothing = object({})

/** The payment providers. A new one does not compile until server and client have its module. */
export const PaymentProviderName = enums(['test', 'stripe'])
export type PaymentProviderName = Infer<typeof PaymentProviderName>
