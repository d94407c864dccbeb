import { sql } from 'kysely'
import type { Totals } from '#domain/pricing/pricing.ts'
import type { Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { type PromotedSale, promotionsInTotals } from '../sale/lock-promotions.ts'
import type { OrderKey } from './sold-lines.ts'

/**
 * Inserts a use of each promotion in the totals of a sale, with its part of the discount: used by an order, or held while the sale is being
 * paid. The caller has locked the promotions.
 */
export const insertPromotionUses = async (
  tx: Transaction,
  { clock }: Deps,
  { promoted, orderId }: { promoted: PromotedSale; orderId: number | null },
): Promise<void> => {
  const { studioId, checkoutId, email } = promoted
  const state = orderId === null ? 'held' : 'used'
  for (const { promotion, discountCents } of promotionsInTotals(promoted))
    await sql`
      insert into promotion_uses (studio_id, promotion_id, promotion_code_id, checkout_id, order_id, email_key, amount_cents, state, created_at, updated_at)
      values (${studioId}, ${promotion.id}, ${promotion.codeId}, ${checkoutId}, ${orderId}, ${email}, ${discountCents}, ${state}, ${clock()}, ${clock()})
      on conflict (studio_id, promotion_id, checkout_id)
      do update set state = excluded.state, promotion_code_id = excluded.promotion_code_id, amount_cents = excluded.amount_cents,
                    email_key = excluded.email_key, updated_at = excluded.updated_at`.execute(tx)
}

const releaseUses = (tx: Transaction, { clock }: Deps, { studioId, orderId }: OrderKey) =>
  tx
    .updateTable('promotion_uses')
    .set({ state: 'released', updated_at: clock() })
    .where('studio_id', '=', studioId)
    .where('order_id', '=', orderId)
    .where('state', '=', 'used')

/** Releases the promotions that an order used. */
export const releaseOrderPromotions = async (tx: Transaction, deps: Deps, key: OrderKey): Promise<void> => {
  await releaseUses(tx, deps, key).execute()
}

/** Writes the part of each promotion in the discount of a changed order. One that gives nothing any more does not count as used. */
export const updateOrderPromotions = async (
  tx: Transaction,
  deps: Deps,
  { key, totals: { promotions } }: { key: OrderKey; totals: Pick<Totals, 'promotions'> },
): Promise<void> => {
  const ids = promotions.map(({ id }) => id)
  await releaseUses(tx, deps, key)
    .$if(ids.length > 0, (query) => query.where('promotion_id', 'not in', ids))
    .execute()
  for (const { id, discountCents } of promotions)
    await tx
      .updateTable('promotion_uses')
      .set({ amount_cents: discountCents, updated_at: deps.clock() })
      .where('studio_id', '=', key.studioId)
      .where('order_id', '=', key.orderId)
      .where('promotion_id', '=', id)
      .where('state', '=', 'used')
      .execute()
}
