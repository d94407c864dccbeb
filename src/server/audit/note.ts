import type { Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'

/** One line of the audit trail: what changed money or the state of something, and who did it; nobody where the house did it by itself. */
export type AuditNote = {
  readonly studioId: number
  readonly action:
    | 'payment.begun'
    | 'payment.unknown'
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
    | 'order.put-right'
    | 'order.reduced'
    | 'order.grown'
    | 'refund.owed'
    | 'refund.done'
    | 'refund.failed'
    | 'subject.walked-up'
    | 'check-in.undone'
    | 'order.entered'
    | 'studio.changed'
    | 'studio.logo-changed'
    | 'studio.verification-asked'
    | 'studio.payments-connected'
    | 'studio.payments-removed'
    | 'organization.made'
    | 'organization.changed'
    | 'organization.removed'
    | 'organization.archived'
    | 'organization.restored'
    | 'job.contact-changed'
  /** The attempt's id, the order's number, the refund's key, or the thing's own id. */
  readonly entityId: string
  readonly detail: Readonly<Record<string, string | number | null>>
  readonly sessionId?: number | null
  readonly userId?: number | null
}

/** Writes a line of the audit trail, in the transaction of what it tells of: the one is there exactly when the other is. */
export const note = async (
  tx: Transaction,
  { clock }: Deps,
  { studioId, action, entityId, detail, sessionId = null, userId = null }: AuditNote,
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
