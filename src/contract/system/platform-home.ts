import { array, type Infer, integer, nullable, string, type } from 'superstruct'
import { call } from '../shapes/call.ts'
import { Bytes, Count, Instant } from '../shapes/primitives.ts'
import { administrators, readProblems } from '../shapes/staff-call.ts'

/** One figure of today so far, and of the same day of last week up to the same time. Amounts can be negative: refunds are subtracted. */
const Compared = type({ today: integer(), lastWeek: integer() })

/**
 * The platform's health. A day starts at midnight in the time zone of each studio. Each part is read separately; one that could not be read
 * is null.
 */
export const PlatformHome = type({
  orders: nullable(Compared),
  /** Settled charges minus refunds of the ledger, in cents. */
  revenue: nullable(Compared),
  /** What waits: studios to verify, open order errors, background work that failed for good, and studios whose work is paused. */
  waiting: nullable(type({ studios: Count, orderErrors: Count, failedJobs: Count, pausedStudios: Count })),
  /** Failures of the last seven days: emails that were not delivered, and calls of the tax service without a tax. */
  failed: nullable(type({ emails: Count, taxCalls: Count })),
  storage: nullable(type({ freeBytes: Bytes, databaseBytes: Bytes })),
  /** `build` identifies the client that this server serves. `newest` is the last executed migration. */
  version: nullable(type({ build: string(), migrations: Count, newest: string() })),
  /** The servers that are connected to the database, the oldest first; `since` is when each connected. */
  servers: nullable(array(type({ name: string(), since: Instant }))),
})
export type PlatformHome = Infer<typeof PlatformHome>

/** The administrators' home (section 2). */
export const getPlatformHome = call({
  method: 'GET',
  path: '/api/admin/home',
  who: administrators,
  answer: PlatformHome,
  problems: readProblems,
})
