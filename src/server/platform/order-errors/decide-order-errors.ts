import type { OrderErrorResult, OrderErrorRow, SelectedOrderErrors } from '#contract/system/order-errors.ts'
import type { User } from '#server/access/tokens/access-token.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import { decideOrderError } from '#server/audit/order-error-decisions.ts'
import { inTransaction, type Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { readSelected } from './read-order-errors.ts'

/** An error that is retried, ignored or shown again, and the administrator who does so. */
export type OrderErrorAction = {
  readonly deps: Deps
  readonly user: User
  readonly entry: OrderErrorRow
}

/** Why an error stays as it is; undefined if it was retried, ignored or shown again. */
export type Refusal = string | undefined

const noLongerOpen = 'It was resolved or decided meanwhile'

/** Handles the selected errors in one state one after the other, and counts the refusals by their reasons. */
export const handleSelected = async (
  deps: Deps,
  { which, state, user }: { which: SelectedOrderErrors; state: 'open' | 'ignored'; user: User },
  handle: (action: OrderErrorAction) => Promise<Refusal>,
): Promise<OrderErrorResult> => {
  const { entries, missing, rest } = await readSelected(deps, which, state)
  const counts = new Map<string, number>(missing > 0 ? [[noLongerOpen, missing]] : [])
  let done = 0
  for (const entry of entries) {
    const reason = await handle({ deps, user, entry })
    if (reason === undefined) done += 1
    else counts.set(reason, (counts.get(reason) ?? 0) + 1)
  }
  return { done, refused: [...counts].map(([reason, count]) => ({ reason, count })), rest }
}

/** Writes what an administrator did with an error into the audit trail. */
export const auditOrderError = (
  tx: Transaction,
  { deps, user, entry }: OrderErrorAction,
  { verb, reason = null }: { verb: 'retried' | 'ignored' | 'reopened'; reason?: string | null },
): Promise<void> =>
  recordAudit(tx, deps, {
    studioId: entry.studioId,
    action: `order-error.${verb}`,
    entityId: entry.orderNumbers[0] ?? entry.id,
    detail: { kind: entry.kind, id: entry.id, ...(reason !== null && { reason }) },
    userId: user.id,
  })

/** Hides an error until its source fails again. */
export const ignoreOrderError = (action: OrderErrorAction, reason: string): Promise<Refusal> =>
  inTransaction(action.deps.db, async (tx) => {
    const { deps, user, entry } = action
    await decideOrderError(tx, deps, { ...entry, decision: 'ignored', reason, userId: user.id })
    await auditOrderError(tx, action, { verb: 'ignored', reason })
    return undefined
  })

/** Shows an ignored error again. */
export const reopenOrderError = (action: OrderErrorAction): Promise<Refusal> =>
  inTransaction(action.deps.db, async (tx) => {
    const { kind, id } = action.entry
    const { numDeletedRows } = await tx
      .deleteFrom('order_error_decisions')
      .where('kind', '=', kind)
      .where('entry_id', '=', id)
      .where('decision', '=', 'ignored')
      .executeTakeFirst()
    if (numDeletedRows === 0n) return noLongerOpen
    await auditOrderError(tx, action, { verb: 'reopened' })
    return undefined
  })
