import { sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { PromotionPreview, previewPromotion as previewCall } from '#contract/studio/promotions/promotions.ts'
import { discountableCents } from '#domain/pricing/discounts.ts'
import { timesCents } from '#domain/pricing/money.ts'
import { addTax, discountOrder, noTax } from '#domain/pricing/pricing.ts'
import { checkPromotion, promotionErrorMessages } from '#domain/pricing/promotion.ts'
import type { Db } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { type Problem, problem } from '../http/problem.ts'
import {
  automaticPromotionsJson,
  type CheckoutPromotion,
  joinPromotionCode,
  type PromotionRow,
  promotionJson,
  promotionOf,
  toGrantedPromotion,
} from '../orders/sale/checkout-promotion.ts'
import type { PromotionKey } from './read-promotions.ts'

type SampleCart = Infer<(typeof previewCall)['body']>
type SampleLine = { packageId: number; name: string; quantity: number; cents: number }

type PreviewedPromotions = { promotion: CheckoutPromotion; others: CheckoutPromotion[] }

/** The promotion as a checkout without a customer sees it, and the automatic ones that the same cart would meet now. */
const readPreviewedPromotions = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { studioId, id }: PromotionKey,
): Promise<PreviewedPromotions | undefined> => {
  const noCheckout = sql`select null::uuid as id, null::jsonb as details`
  const { rows } = await sql<{ promotion: PromotionRow; automatic: PromotionRow[] }>`
    select ${promotionJson} as promotion, ${automaticPromotionsJson(clock(), noCheckout)} as automatic
      from promotions q ${joinPromotionCode(sql`null::bigint`)}
      left join lateral (${noCheckout}) k on true
      left join lateral (select q.studio_id, q.job_id as id) j on true
     where q.studio_id = ${studioId} and q.id = ${id}`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const others = row.automatic.filter((other) => other.id !== id)
  return { promotion: promotionOf(row.promotion), others: others.map(promotionOf) }
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

/** A promotion on a day when it is valid, with uses left. */
const asValid = (promotion: CheckoutPromotion): CheckoutPromotion => ({
  ...promotion,
  ...{ isEnabled: true, startsAt: null, endsAt: null, jobId: null, maximumUses: null, maximumUsesPerCustomer: null },
})

/**
 * What a sample cart would pay with a promotion, before shipping and tax, priced like a checkout on a day when the promotion is
 * valid and has uses left. Automatic promotions that run now apply too.
 */
export const previewPromotion = async (
  deps: Deps,
  key: PromotionKey,
  { amountCents, packages }: SampleCart,
): Promise<PromotionPreview | Problem<'not-found'>> => {
  const previewed = await readPreviewedPromotions(deps, key)
  if (!previewed) return problem('not-found')
  const { promotion, others } = previewed
  const lines = await readLines(deps.db, key.studioId, packages)
  const goods = {
    lines: lines.map((line) => ({ ...line, lineId: String(line.packageId) })),
    servicesCents: amountCents,
    shippingCents: 0,
  }
  const goodsCents = discountableCents(goods, null)
  const context = {
    ...{ now: deps.clock().toISOString(), jobId: 0, goodsCents, packageIds: lines.map(({ packageId }) => packageId) },
    ...{ uses: 0, usesByCustomer: 0, isCodeUsed: false },
  }
  const error = checkPromotion(asValid(promotion), context)
  const granted = [asValid(promotion), ...others.map((other) => ({ ...other, jobId: null }))]
    .filter((each) => checkPromotion(each, { ...context, uses: each.uses }) === null)
    .map((each) => toGrantedPromotion(each, goods.lines))
  const totals = addTax(discountOrder({ ...goods, promotions: granted }), noTax)
  const isApplied = totals.promotions.length === 0 || totals.promotions.some(({ id }) => id === promotion.id)
  const reason = error ?? (isApplied ? null : 'not-best')
  return {
    goodsCents,
    discountCents: totals.discountCents,
    totalCents: totals.totalCents,
    why: reason && promotionErrorMessages[reason],
    promotions: totals.promotions.map(({ code, discountCents }) => ({ code, discountCents })),
    lines: lines.map((line, index) => ({ ...line, discountCents: totals.perLine[index]?.discountCents ?? 0 })),
  }
}
