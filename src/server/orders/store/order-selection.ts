import { type RawBuilder, sql } from 'kysely'
import type { SelectedOrders } from '#contract/studio/order-lists.ts'
import type { OrderState } from '#domain/orders/order-states.ts'
import { maxBulkOrders } from '#domain/orders/order-views.ts'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import type { Db, Transaction } from '#server/database/database.ts'
import { isSelectedOrder } from './order-filter.ts'

/** Orders that a request means; of all that match, those that `may` says of `o` can be done something with at all. */
export type OrderSelection = {
  readonly job: JobKey
  readonly which: SelectedOrders
  /** The last that was done with the part before. */
  readonly after?: number | undefined
  readonly may: RawBuilder<unknown>
}

export type SelectionPart = {
  readonly ids: readonly number[]
  /** Where to go on; null where nothing is left. */
  readonly after: number | null
}

/** Ids as a statement takes them: its text stays the same however many there are. */
export const hasOrderId = (ids: readonly number[]): RawBuilder<boolean> =>
  sql`o.id in (select value::bigint from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`

/** As many of them as are done together. Those chosen one by one are all of it, so that each that stays can be told of. */
export const nextSelectedOrders = async (
  db: Db | Transaction,
  { job, which, after = 0, may }: OrderSelection,
): Promise<SelectionPart> => {
  const possible = 'matching' in which ? may : sql`true`
  const { rows } = await sql<{ id: number }>`
    select o.id from orders o where ${isSelectedOrder(job, which)} and o.id > ${after} and ${possible}
     order by o.id limit ${maxBulkOrders + 1}`.execute(db)
  const ids = rows.slice(0, maxBulkOrders).map(({ id }) => id)
  return { ids, after: rows.length > maxBulkOrders ? (ids.at(-1) ?? null) : null }
}

/** How orders stand that nothing was done with, and how many stand so. */
export type SkippedOrders = { state: OrderState; batchId: number | null; awaitsPoses: boolean; count: number }

/** Those that match and could not be done anything with, as far as this part goes: no request counts what another did. */
const passedOver = async (
  db: Db | Transaction,
  { job, which, after = 0, may }: OrderSelection,
  part: SelectionPart,
): Promise<SkippedOrders[]> => {
  if (!('matching' in which)) return []
  const isInPart = sql`o.id > ${after} and (${part.after}::bigint is null or o.id <= ${part.after}::bigint)`
  const { rows } = await sql<SkippedOrders>`
    select o.state, min(o.batch_id) as "batchId", o.awaits_poses as "awaitsPoses", count(*)::int as count from orders o
     where ${isSelectedOrder(job, which)} and ${isInPart} and not ${may}
     group by o.state, o.batch_id is null, o.awaits_poses order by o.state, o.awaits_poses`.execute(db)
  return rows
}

/** The same by what is said of them. */
export const countSkipped = async (
  db: Db | Transaction,
  {
    meant,
    part,
    whyNot,
  }: { meant: OrderSelection; part: SelectionPart; whyNot: (passed: SkippedOrders) => string | null },
): Promise<{ why: string; count: number }[]> => {
  const countByWhy = new Map<string, number>()
  for (const passed of await passedOver(db, meant, part)) {
    const why = whyNot(passed)
    if (why !== null) countByWhy.set(why, (countByWhy.get(why) ?? 0) + passed.count)
  }
  return [...countByWhy].map(([why, count]) => ({ why, count }))
}
