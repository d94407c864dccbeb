import type { OrderErrorKind } from '#domain/orders/order-error-kinds.ts'
import type { Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'

type OrderErrorDecision = {
  readonly kind: OrderErrorKind
  /** The id of the failed row. */
  readonly id: string
  readonly studioId: number | null
  /** `retried`: another row replaces the failed one, as a second email or refund does. */
  readonly decision: 'ignored' | 'retried'
  readonly reason: string
  readonly userId: number
}

/** Records a decision about an error. It is not open any more until its source fails again. */
export const decideOrderError = async (
  tx: Transaction,
  { clock }: Pick<Deps, 'clock'>,
  { kind, id, studioId, decision, reason, userId }: OrderErrorDecision,
): Promise<void> => {
  const values = { decision, reason, decided_by: userId, decided_at: clock() }
  await tx
    .insertInto('order_error_decisions')
    .values({ kind, entry_id: id, studio_id: studioId, ...values })
    .onConflict((conflict) => conflict.columns(['kind', 'entry_id']).doUpdateSet(values))
    .execute()
}
