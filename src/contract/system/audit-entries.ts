import { type Infer, integer, nullable, object, optional, record, string, type, unknown } from 'superstruct'
import { call } from '../shapes/call.ts'
import { Id, Instant, shortText } from '../shapes/primitives.ts'
import { pageOf, pageQuery } from '../shapes/responses.ts'
import { administrators, FileContent, readProblems, writeProblems } from '../shapes/staff-call.ts'

/** The rows of a log between two moments, of one studio. */
export const logFilter = { studioId: optional(Id), from: optional(Instant), to: optional(Instant) }

/** One change: who made it, where, and what was changed. */
export const AuditEntryRow = type({
  id: integer(),
  createdAt: Instant,
  studioId: nullable(integer()),
  studioName: nullable(string()),
  /** Null for changes by the server or a customer. */
  userId: nullable(integer()),
  userName: nullable(string()),
  /** The owner by whose consent an administrator changed something in a studio. */
  consentedBy: nullable(string()),
  /** What was changed, and how: `tax-rate.changed`. */
  action: string(),
  /** The changed record. */
  entityId: nullable(string()),
  /** Values of the change. `before` and `after` contain the values that differ. */
  detail: record(string(), unknown()),
  /** The client's IP address, or the network of an IPv6 address. */
  address: nullable(string()),
})
export type AuditEntryRow = Infer<typeof AuditEntryRow>

const auditFilter = { ...logFilter, userId: optional(Id), action: optional(shortText(60)) }

/** A page of the audit trail, the newest first. `filter`: the id of a changed record. */
export const listAuditEntries = call({
  method: 'GET',
  path: '/api/admin/audit-entries',
  who: administrators,
  query: object({ ...pageQuery, ...auditFilter }),
  answer: pageOf(AuditEntryRow),
  problems: readProblems,
})

/** The newest entries as CSV. */
export const exportAuditEntries = call({
  method: 'POST',
  path: '/api/admin/audit-entries/export',
  who: administrators,
  body: object({ ...auditFilter, filter: optional(shortText(60)) }),
  answer: FileContent,
  problems: writeProblems,
})
