import { sql } from 'kysely'
import type { Totals } from '#domain/pricing/pricing.ts'
import type { Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import {
  type CheckoutPromotion,
  joinPromotionCode,
  type PromotionRow,
  promotionError,
  promotionJson,
  promotionOf,
} from './checkout-promotion.ts'
import type { Sale } from './sale-terms.ts'

/** A sale with the totals that it was priced with, and whose uses of promotions it counts as. */
export type PromotedSale = {
  readonly studioId: number
  readonly sale: Sale
  readonly totals: Totals
  /** The checkout, or the key of the form for a paper order. */
  readonly checkoutId: string
  readonly email: string
}

/** The promotions in the totals of a sale, as they were when it was priced, by id. */
export const promotionsInTotals = ({
  sale,
  totals,
}: Pick<PromotedSale, 'sale' | 'totals'>): { promotion: CheckoutPromotion; discountCents: number }[] =>
  totals.promotions
    .flatMap(({ id, discountCents }) => {
      const promotion = [sale.promotion, ...sale.automaticPromotions].find((each) => each?.id === id)
      return promotion ? [{ promotion, discountCents }] : []
    })
    .sort((a, b) => a.promotion.id - b.promotion.id)

const isLimited = ({ codeId, maximumUses, maximumUsesPerCustomer }: CheckoutPromotion): boolean =>
  codeId !== null || maximumUses !== null || maximumUsesPerCustomer !== null

/** Serializes sales that may take the last use of the same promotion. Sales with unlimited ones do not wait for each other. */
const lockRow = (tx: Transaction, studioId: number, promotion: CheckoutPromotion) => {
  const row = tx.selectFrom('promotions').select('id').where('studio_id', '=', studioId).where('id', '=', promotion.id)
  return (isLimited(promotion) ? row.forUpdate() : row.forShare()).execute()
}

/**
 * Locks the promotions in the totals of a sale, in the order of their ids, and checks them again. Returns false if one no longer
 * applies as priced, for example because another order took its last use.
 */
export const lockPromotions = async (tx: Transaction, deps: Deps, promoted: PromotedSale): Promise<boolean> => {
  const { studioId, sale, checkoutId, email } = promoted
  const applied = promotionsInTotals(promoted)
  for (const { promotion } of applied) await lockRow(tx, studioId, promotion)
  for (const { promotion } of applied) {
    const { rows } = await sql<{ promotion: PromotionRow }>`
      select ${promotionJson} as promotion from promotions q ${joinPromotionCode(sql`${promotion.codeId}::bigint`)}
        left join lateral (select ${checkoutId}::uuid as id,
          json_build_object('customer', json_build_object('email', nullif(${email}::text, '')))::jsonb as details) k on true
       where q.studio_id = ${studioId} and q.id = ${promotion.id}`.execute(tx)
    const current = rows[0] ? promotionOf(rows[0].promotion) : null
    if (promotionError(deps, sale, current) !== null) return false
    // It became limited since it was priced, and only its shared lock is held.
    if (current && isLimited(current) && !isLimited(promotion)) return false
  }
  return true
}
