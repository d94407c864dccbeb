import { validationMessages } from '#domain/shared/validators.ts'
import type { User } from '#server/access/tokens/access-token.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import { inTransaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { type Problem, problem } from '#server/http/problem.ts'

type Closing = { readonly studioId: number; readonly id: number; readonly note: string; readonly user: User }

/** Closes a difference that staff have explained in a note; does nothing if it is resolved already. */
export const closeDifference = (
  deps: Deps,
  { studioId, id, note, user }: Closing,
): Promise<Record<string, never> | Problem<'not-found' | 'refused'>> =>
  inTransaction(deps.db, async (tx) => {
    if (note.trim() === '')
      return problem('refused', validationMessages.required, { fields: { note: [validationMessages.required] } })
    const difference = await tx
      .selectFrom('payment_differences')
      .select(['reference', 'resolved_at'])
      .where('studio_id', '=', studioId)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!difference) return problem('not-found')
    if (difference.resolved_at !== null) return {}
    await tx
      .updateTable('payment_differences')
      .set({ resolved_at: deps.clock(), closed_by: user.name, note: note.trim() })
      .where('studio_id', '=', studioId)
      .where('id', '=', id)
      .execute()
    const detail = { reference: difference.reference, note: note.trim() }
    const entityId = String(id)
    await recordAudit(tx, deps, { studioId, action: 'payment-difference.closed', entityId, detail, userId: user.id })
    return {}
  })
