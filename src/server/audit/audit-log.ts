import { subHours } from 'date-fns/subHours'
import { subMonths } from 'date-fns/subMonths'
import { sql } from 'kysely'
import type { Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'

/** The records that the platform's administrators define for all studios. */
export type PlatformNoun =
  | 'workflow'
  | 'tax-rate'
  | 'shipping-option'
  | 'order-service'
  | 'product'
  | 'tag'
  | 'defined-field'
  | 'feature'

/**
 * One entry of the audit trail: a change of money, state, access or visibility, and the user who made it. Changes
 * without a user were made by the server or a customer.
 */
export type AuditEntry = {
  /** Null for a change that concerns an administrator of the platform. */
  readonly studioId: number | null
  readonly action:
    | 'payment.begun'
    | 'payment.unknown'
    | 'payment.abandoned'
    | 'payment.requires-action'
    | 'payment.declined'
    | 'payment.succeeded'
    | 'order.placed'
    | 'order.moved'
    | 'order.taken-out'
    | 'order.put-in'
    | 'batch.made'
    | 'batch.changed'
    | 'batch.closed'
    | 'batch.reopened'
    | 'batch.submitted'
    | 'packet.taken-back'
    | 'order.content-edited'
    | 'order.reduced'
    | 'order.grown'
    | 'subject.hidden'
    | 'subject.shown'
    | 'subject.undone'
    | 'subject.erased'
    | 'import.begun'
    | 'import.done'
    | 'import.undoing'
    | 'import.undone'
    | 'image.deleted'
    | 'image.converted'
    | 'image.replaced'
    | 'image.moved'
    | 'images.published'
    | 'yearbook.reminded'
    | 'image-export.begun'
    | 'image-export.retried'
    | 'image-export.opened'
    | 'image-export.removed'
    | 'refund.owed'
    | 'refund.done'
    | 'refund.failed'
    | 'subject.walked-up'
    | 'check-in.undone'
    | 'order.entered'
    | 'job.made'
    | 'job.duplicated'
    | 'job.published'
    | 'job.unpublished'
    | 'job.archived'
    | 'job.restored'
    | 'job.deleted'
    | 'studio.begun'
    | 'studio.host-proved'
    | 'studio.host-lost'
    | 'administrator.link-created'
    | 'user.invited'
    | 'user.uninvited'
    | 'user.joined'
    | 'user.changed'
    | 'user.removed'
    | 'user.password-reset'
    | 'user.password-changed'
    | 'studio.changed'
    | 'studio.logo-changed'
    | 'studio.verification-asked'
    | 'studio.feature-switched'
    | 'studio.payments-connected'
    | 'studio.payments-removed'
    | 'organization.made'
    | 'organization.changed'
    | 'organization.removed'
    | 'organization.archived'
    | 'organization.restored'
    | 'commission-rate.made'
    | 'commission-rate.removed'
    | 'commission.paid'
    | 'commission.unpaid'
    | 'job.contact-changed'
    | 'package-set.made'
    | 'package-set.changed'
    | 'package-set.archived'
    | 'package-set.restored'
    | 'package-set.removed'
    | 'package.made'
    | 'package.changed'
    | 'package.archived'
    | 'package.restored'
    | 'package.removed'
    | 'job.package-set'
    | 'promotion.made'
    | 'promotion.changed'
    | 'promotion.ended'
    | 'promotion.removed'
    | 'promotion.codes-made'
    | 'green-screen.made'
    | 'green-screen.changed'
    | 'green-screen.removed'
    | 'report.exported'
    | 'report-file.opened'
    | 'report-file.removed'
    | 'payment-difference.closed'
    | `${PlatformNoun}.${'made' | 'changed' | 'archived' | 'restored' | 'removed' | 'imported'}`
  /** The attempt's id, the order's number, the refund's key, or the entity's own id. */
  readonly entityId: string
  readonly detail: Readonly<Record<string, string | number | null>>
  readonly sessionId?: number | null
  readonly userId?: number | null
}

/** Writes an audit entry in the transaction of the change, so that neither is stored without the other. */
export const recordAudit = async (
  tx: Transaction,
  { clock }: Pick<Deps, 'clock'>,
  { studioId, action, entityId, detail, sessionId = null, userId = null }: AuditEntry,
): Promise<void> => {
  const [entity = action] = action.split('.')
  await tx
    .insertInto('audit_log')
    .values({
      studio_id: studioId,
      user_id: userId,
      session_id: sessionId,
      action,
      entity,
      entity_id: entityId,
      detail: JSON.stringify(detail),
      created_at: clock(),
    })
    .execute()
}

type AuditEntries = Omit<AuditEntry, 'entityId' | 'detail'> & {
  readonly lines: readonly Pick<AuditEntry, 'entityId' | 'detail'>[]
}

/** Writes one entry for each of many entities with the same change, in one statement. */
export const recordAudits = async (
  tx: Transaction,
  { clock }: Pick<Deps, 'clock'>,
  { studioId, action, lines, sessionId = null, userId = null }: AuditEntries,
): Promise<void> => {
  const [entity = action] = action.split('.')
  await sql`
    insert into audit_log (studio_id, user_id, session_id, action, entity, entity_id, detail, created_at)
    select ${studioId}::bigint, ${userId}::bigint, ${sessionId}::bigint, ${action}, ${entity}, l."entityId", l.detail, ${clock()}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as l("entityId" text, detail jsonb)`.execute(tx)
}

/** Long enough to close a year, and to compare a month with the same month of last year. */
const taxLogRetentionMonths = 13
/** Emails contain the names of children, also of subjects that were deleted since. */
const mailLogRetentionDays = 90
const purgeBatchSize = 1000

/** Deletes old entries of a log, oldest first, in batches, so that no checkout or email waits for the deletion. */
const purgeLog = async (db: Deps['db'], log: 'tax_log' | 'mail_log', cutoff: Date): Promise<void> => {
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(log)} where id in (
        select id from ${sql.table(log)} where created_at < ${cutoff}
         order by created_at, id limit ${purgeBatchSize})`.execute(db)
    if (numAffectedRows < purgeBatchSize) return
  }
}

export const purgeTaxLog = ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> =>
  purgeLog(db, 'tax_log', subMonths(clock(), taxLogRetentionMonths))

export const purgeMailLog = ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> =>
  purgeLog(db, 'mail_log', subHours(clock(), mailLogRetentionDays * 24))
