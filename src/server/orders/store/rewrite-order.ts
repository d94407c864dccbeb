import { sql } from 'kysely'
import type { Cart } from '#domain/cart/cart.ts'
import { cartServicesOf } from '#domain/cart/order-services.ts'
import { splitCents, toCents } from '#domain/pricing/money.ts'
import type { Totals } from '#domain/pricing/pricing.ts'
import { hasPrints } from '#domain/pricing/shipping.ts'
import type { Transaction } from '#server/database/database.ts'
import type { OrderKey } from './order-key.ts'
import type { SoldOrder } from './sold-order.ts'

/** An order as sold, with its new cart and totals. */
type OrderRewrite = { readonly sold: SoldOrder; readonly cart: Cart; readonly totals: Totals; readonly now: Date }

const writePackages = async (
  tx: Transaction,
  { orderId, studioId }: OrderKey,
  rewrite: OrderRewrite,
): Promise<void> => {
  const { sold, cart, totals, now } = rewrite
  const parts = new Map(totals.perLine.map((one) => [one.lineId, one]))
  for (const row of sold.lines) {
    const line = cart.cartPackages.find(({ lineId }) => lineId === row.lineId)
    const part = parts.get(row.lineId)
    if (!line || !part) {
      await sql`delete from order_lines where studio_id = ${studioId} and order_id = ${orderId} and id = ${row.id}`.execute(
        tx,
      )
      continue
    }
    const { quantity } = line
    await sql`update order_lines set quantity = ${quantity}, amount_cents = ${part.cents}, discount_cents = ${part.discountCents},
                     tax_cents = ${part.taxCents}, version = version + 1, updated_at = ${now}
               where studio_id = ${studioId} and id = ${row.id}`.execute(tx)
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
  const split = (amount: number) => splitCents(amount, amount === 0 ? cents.map(() => 1) : cents)
  const [discounts, taxes] = [split(totals.services.discountCents), split(totals.services.taxCents)]
  for (const row of sold.services) {
    const at = entries.findIndex(({ id }) => id === row.id)
    if (at < 0) {
      await sql`delete from order_lines where studio_id = ${studioId} and order_id = ${orderId} and id = ${row.id}`.execute(
        tx,
      )
      continue
    }
    await sql`update order_lines set discount_cents = ${discounts[at] ?? 0}, tax_cents = ${taxes[at] ?? 0}, updated_at = ${now}
               where studio_id = ${studioId} and id = ${row.id}`.execute(tx)
  }
}

const writeOrder = async (tx: Transaction, { orderId, studioId }: OrderKey, rewrite: OrderRewrite): Promise<void> => {
  const { cart, totals, now } = rewrite
  const { packagesCents, servicesCents, discountCents, shippingCents, taxCents, totalCents } = totals
  await sql`
    update orders o set packages_cents = ${packagesCents}, services_cents = ${servicesCents}, discount_cents = ${discountCents},
           shipping_cents = ${shippingCents}, tax_cents = ${taxCents}, total_cents = ${totalCents},
           totals = ${JSON.stringify(totals)}::jsonb, version = version + 1, updated_at = ${now},
           promotion_id = case when ${discountCents}::int = 0 then null else promotion_id end,
           promotion_code = case when ${discountCents}::int = 0 then null else promotion_code end,
           shipping_address = case when ${hasPrints(cart)} then shipping_address end,
           shipping_option_code = case when ${hasPrints(cart)} then shipping_option_code end,
           awaits_poses = exists (select from order_lines l where l.studio_id = o.studio_id and l.order_id = o.id and l.needs_poses)
     where o.studio_id = ${studioId} and o.id = ${orderId}`.execute(tx)
}

/**
 * Writes an order's new quantities and totals, and deletes lines that are no longer in its cart. The caller holds the
 * order's lock.
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
      const after = cart.cartPackages.find((line) => line.lineId === lineId)?.quantity ?? 0
      return after === quantity ? '' : `${snapshot.package.name}: ${quantity} to ${after}`
    })
    .filter((change) => change !== '')
    .join(', ')
