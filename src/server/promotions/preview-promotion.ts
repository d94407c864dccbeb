import { sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { PromotionPreview, previewPromotion as previewCall } from '#contract/studio/promotions/promotions.ts'
import { timesCents } from '#domain/pricing/money.ts'
import { addTax, discountableCents, discountOrder } from '#domain/pricing/pricing.ts'
import { checkPromotion, linesOfPromotion, promotionErrorMessages } from '#domain/pricing/promotion.ts'
import type { Db } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { type Problem, problem } from '../http/problem.ts'
import {
  type CheckoutPromotion,
  joinPromotionCode,
  type PromotionRow,
  promotionJson,
  promotionOf,
} from '../orders/sale/checkout-promotion.ts'
import type { PromotionKey } from './read-promotions.ts'

type SampleCart = Infer<(typeof previewCall)['body']>
type SampleLine = { packageId: number; name: string; quantity: number; cents: number }

/** The promotion as a checkout without a customer sees it. */
const readCheckoutPromotion = async (
  db: Db,
  { studioId, id }: PromotionKey,
): Promise<CheckoutPromotion | undefined> => {
  const { rows } = await sql<{ promotion: PromotionRow }>`
    select ${promotionJson} as promotion from promotions q ${joinPromotionCode(sql`null::bigint`)}
      left join lateral (select null::uuid as id, null::jsonb as details) k on true
     where q.studio_id = ${studioId} and q.id = ${id}`.execute(db)
  return rows[0] && promotionOf(rows[0].promotion)
}

/** The lines of a sample cart at the packages' current prices. Packages that do not exist are left out. */
const readLines = async (db: Db, studioId: number, packages: SampleCart['packages']): Promise<SampleLine[]> => {
  const { rows } = await sql<{ id: number; name: string; cents: number }>`
    select p.id, v.name, v.retail_cost_cents as cents from packages p
      join package_versions v on v.studio_id = p.studio_id and v.package_id = p.id and v.version = p.current_version
     where p.studio_id = ${studioId} and p.id = any(${packages.map(({ packageId }) => packageId)}::bigint[])`.execute(
    db,
  )
  return packages.flatMap(({ packageId, quantity }) => {
    const found = rows.find(({ id }) => id === packageId)
    return found ? [{ packageId, name: found.name, quantity, cents: timesCents(found.cents, quantity) }] : []
  })
}

/**
 * What a sample cart would pay with a promotion, before shipping and tax, priced like a checkout on a day when the code
 * is valid and has uses left.
 */
export const previewPromotion = async (
  { db, clock }: Deps,
  key: PromotionKey,
  { amountCents, packages }: SampleCart,
): Promise<PromotionPreview | Problem<'not-found'>> => {
  const promotion = await readCheckoutPromotion(db, key)
  if (!promotion) return problem('not-found')
  const lines = await readLines(db, key.studioId, packages)
  const goods = {
    lines: lines.map((line) => ({ ...line, lineId: String(line.packageId) })),
    servicesCents: amountCents,
    shippingCents: 0,
  }
  const goodsCents = discountableCents(goods, null)
  const valid = { ...promotion, isEnabled: true, startsAt: null, endsAt: null, maximumUses: null }
  const error = checkPromotion(
    { ...valid, jobId: null, maximumUsesPerCustomer: null },
    {
      ...{ now: clock().toISOString(), jobId: 0, goodsCents, packageIds: lines.map(({ packageId }) => packageId) },
      ...{ uses: 0, usesByCustomer: 0, isCodeUsed: false },
    },
  )
  const priced = discountOrder({
    ...goods,
    promotion: error === null ? promotion : null,
    discountedLines: linesOfPromotion(promotion, goods.lines),
  })
  const totals = addTax(priced, { goodsCents: 0, shippingCents: 0 })
  return {
    goodsCents,
    discountCents: totals.discountCents,
    totalCents: totals.totalCents,
    why: error && promotionErrorMessages[error],
    lines: lines.map((line, index) => ({ ...line, discountCents: totals.perLine[index]?.discountCents ?? 0 })),
  }
}
