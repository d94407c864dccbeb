import { sql } from 'kysely'
import type { Cart } from '#domain/cart/cart.ts'
import { cartServicesOf } from '#domain/cart/order-services.ts'
import { promotionCodesLabel } from '#domain/pricing/discounts.ts'
import { splitCents, toCents } from '#domain/pricing/money.ts'
import type { Totals } from '#domain/pricing/pricing.ts'
import { hasPrints } from '#domain/pricing/shipping.ts'
import type { Transaction } from '#server/database/database.ts'
import type { OrderKey } from './sold-lines.ts'
import type { SoldOrder } from './sold-order.ts'

/** The order as sold, with its new cart and totals. */
type OrderRewrite = { readonly sold: SoldOrder; readonly cart: Cart; readonly totals: Totals; readonly now: Date }

const deleteLine = async (tx: Transaction, { studioId, orderId }: OrderKey, lineId: number): Promise<void> => {
  await tx
    .deleteFrom('order_lines')
    .where('studio_id', '=', studioId)
    .where('order_id', '=', orderId)
    .where('id', '=', lineId)
    .execute()
}

const writePackages = async (
  tx: Transaction,
  { orderId, studioId }: OrderKey,
  rewrite: OrderRewrite,
): Promise<void> => {
  const { sold, cart, totals, now } = rewrite
  const pricedByLine = new Map(totals.perLine.map((pricedLine) => [pricedLine.lineId, pricedLine]))
  for (const row of sold.lines) {
    const line = cart.cartPackages.find(({ lineId }) => lineId === row.lineId)
    const priced = pricedByLine.get(row.lineId)
    if (!line || !priced) {
      await deleteLine(tx, { studioId, orderId }, row.id)
      continue
    }
    const { quantity } = line
    await tx
      .updateTable('order_lines')
      .set({
        quantity,
        amount_cents: priced.cents,
        discount_cents: priced.discountCents,
        tax_cents: priced.taxCents,
        version: (eb) => eb('version', '+', 1),
        updated_at: now,
      })
      .where('studio_id', '=', studioId)
      .where('id', '=', row.id)
      .execute()
  }
}

const writeServices = async (
  tx: Transaction,
  { orderId, studioId }: OrderKey,
  rewrite: OrderRewrite,
): Promise<void> => {
  const { sold, cart, totals, now } = rewrite
  const entries = cartServicesOf(cart)
  const cents = entries.map(({ price }) => toCents(price))
  const splitAmount = (amount: number) => splitCents(amount, amount === 0 ? cents.map(() => 1) : cents)
  const [discounts, taxes] = [splitAmount(totals.services.discountCents), splitAmount(totals.services.taxCents)]
  for (const row of sold.services) {
    const index = entries.findIndex(({ id }) => id === row.id)
    if (index < 0) {
      await deleteLine(tx, { studioId, orderId }, row.id)
      continue
    }
    await tx
      .updateTable('order_lines')
      .set({ discount_cents: discounts[index] ?? 0, tax_cents: taxes[index] ?? 0, updated_at: now })
      .where('studio_id', '=', studioId)
      .where('id', '=', row.id)
      .execute()
  }
}

const writeOrder = async (tx: Transaction, { orderId, studioId }: OrderKey, rewrite: OrderRewrite): Promise<void> => {
  const { cart, totals, now } = rewrite
  const { packagesCents, servicesCents, discountCents, lateFeeCents, shippingCents, taxCents, totalCents, promotions } =
    totals
  await sql`
    update orders o set packages_cents = ${packagesCents}, services_cents = ${servicesCents}, discount_cents = ${discountCents},
           late_fee_cents = ${lateFeeCents}, shipping_cents = ${shippingCents}, tax_cents = ${taxCents}, total_cents = ${totalCents},
           totals = ${JSON.stringify(totals)}::jsonb, version = version + 1, updated_at = ${now},
           promotion_code = case when ${discountCents}::int = 0 then null
             else coalesce(${promotionCodesLabel(promotions)}, promotion_code) end,
           shipping_address = case when ${hasPrints(cart)} then shipping_address end,
           shipping_option_code = case when ${hasPrints(cart)} then shipping_option_code end,
           awaits_poses = exists (select from order_lines l where l.studio_id = o.studio_id and l.order_id = o.id and l.needs_poses)
     where o.studio_id = ${studioId} and o.id = ${orderId}`.execute(tx)
}

/**
 * Writes the new quantities and totals of an order, and deletes lines that are no longer in its cart. The caller holds the lock of the
 * order.
 */
export const rewriteOrder = async (tx: Transaction, key: OrderKey, rewrite: OrderRewrite): Promise<void> => {
  await writePackages(tx, key, rewrite)
  await writeServices(tx, key, rewrite)
  await writeOrder(tx, key, rewrite)
}

/** Describes the changed quantities for the audit log. */
export const describeQuantityChanges = ({ lines }: SoldOrder, cart: Cart): string =>
  lines
    .map(({ lineId, quantity, snapshot }) => {
      const newQuantity = cart.cartPackages.find((line) => line.lineId === lineId)?.quantity ?? 0
      return newQuantity === quantity ? '' : `${snapshot.package.name}: ${quantity} to ${newQuantity}`
    })
    .filter((change) => change !== '')
    .join(', ')
