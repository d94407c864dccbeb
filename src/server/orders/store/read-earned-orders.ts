import { type RawBuilder, sql } from 'kysely'
import type { EarnedOrders } from '#contract/studio/studio.ts'
import { earningDays } from '#domain/shared/earned-periods.ts'
import type { User } from '../../access/tokens/access-token.ts'
import type { Db } from '../../database/database.ts'

type Causes = {
  readonly studioId: number
  /** Decides whether the amount is read. */
  readonly user: Pick<User, 'permissions'>
  /** SQL: selects an `order_id` with a time `at` of something that may have brought the order. */
  readonly causes: RawBuilder<unknown>
}

/** Reads the orders of a studio that were placed soon after a cause: each order counts once, and cancelled ones do not count. */
export const readEarnedOrders = async (db: Db, { studioId, user, causes }: Causes): Promise<EarnedOrders> => {
  const { rows } = await sql<{ orderCount: number; orderedCents: number }>`
    with earned as (
      select distinct o.id, o.total_cents from (${causes}) c join orders o on o.studio_id = ${studioId} and o.id = c.order_id
       where o.state <> 'cancelled' and c.at <= o.placed_at and o.placed_at < c.at + make_interval(days => ${earningDays}))
    select count(*)::integer as "orderCount", coalesce(sum(total_cents), 0)::bigint as "orderedCents" from earned`.execute(
    db,
  )
  const [orders = { orderCount: 0, orderedCents: 0 }] = rows
  const seesMoney = user.permissions.includes('studio.financials.read')
  return { ...orders, orderedCents: seesMoney ? orders.orderedCents : null }
}
