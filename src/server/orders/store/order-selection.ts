import { type RawBuilder, sql } from 'kysely'
import type { SelectedOrders } from '#contract/studio/order-lists.ts'
import { maxBulkOrders, type OrderState } from '#domain/orders/order-states.ts'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import type { Db, Transaction } from '#server/database/database.ts'
import { isSelectedOrder } from './order-filter.ts'

/** The orders that a request selects. Where it selects them by a filter, only orders `o` with `isEligible` are processed. */
export type OrderSelection = {
  readonly job: JobKey
  readonly which: SelectedOrders
  /** The id of the last order of the previous part. */
  readonly after?: number | undefined
  readonly isEligible: RawBuilder<unknown>
}

export type SelectionPart = {
  readonly ids: readonly number[]
  /** The id to continue after; null at the end. */
  readonly after: number | null
}

/** A condition on ids as one JSON parameter, so that the text of the statement does not depend on their number. */
export const hasOrderId = (ids: readonly number[]): RawBuilder<boolean> =>
  sql`o.id in (select value::bigint from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`

/** The next part of a selection. Orders that are selected by number are all returned, so that each skipped one can be reported. */
export const nextSelectedOrders = async (
  db: Db | Transaction,
  { job, which, after = 0, isEligible }: OrderSelection,
): Promise<SelectionPart> => {
  const isIncluded = 'matching' in which ? isEligible : sql`true`
  const { rows } = await sql<{ id: number }>`
    select o.id from orders o where ${isSelectedOrder(job, which)} and o.id > ${after} and ${isIncluded}
     order by o.id limit ${maxBulkOrders + 1}`.execute(db)
  const ids = rows.slice(0, maxBulkOrders).map(({ id }) => id)
  return { ids, after: rows.length > maxBulkOrders ? (ids.at(-1) ?? null) : null }
}

/** The state of skipped orders, and how many have it. */
export type SkippedOrders = { state: OrderState; batchId: number | null; awaitsImages: boolean; count: number }

/** Counts the orders within this part that match the filter but cannot be processed. Parts do not overlap, so no order is counted twice. */
const readSkipped = async (
  db: Db | Transaction,
  { job, which, after = 0, isEligible }: OrderSelection,
  part: SelectionPart,
): Promise<SkippedOrders[]> => {
  if (!('matching' in which)) return []
  const isInPart = sql`o.id > ${after} and (${part.after}::bigint is null or o.id <= ${part.after}::bigint)`
  const { rows } = await sql<SkippedOrders>`
    select o.state, min(o.batch_id) as "batchId", o.awaits_poses as "awaitsImages", count(*)::int as count from orders o
     where ${isSelectedOrder(job, which)} and ${isInPart} and not ${isEligible}
     group by o.state, o.batch_id is null, o.awaits_poses order by o.state, o.awaits_poses`.execute(db)
  return rows
}

/** Counts skipped orders by the reason that staff see. */
export const countSkipped = async (
  db: Db | Transaction,
  {
    selection,
    part,
    reasonOf,
  }: { selection: OrderSelection; part: SelectionPart; reasonOf: (skipped: SkippedOrders) => string | null },
): Promise<{ why: string; count: number }[]> => {
  const countByReason = new Map<string, number>()
  for (const skipped of await readSkipped(db, selection, part)) {
    const reason = reasonOf(skipped)
    if (reason !== null) countByReason.set(reason, (countByReason.get(reason) ?? 0) + skipped.count)
  }
  return [...countByReason].map(([reason, count]) => ({ why: reason, count }))
}
