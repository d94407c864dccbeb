import { sql } from 'kysely'
import { splitCents, toCents } from '../../domain/money.ts'
import { entriesOf } from '../../domain/order-services.ts'
import type { Totals } from '../../domain/pricing.ts'
import { note } from '../audit/note.ts'
import type { Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import type { Session } from '../http/sessions.ts'
import { isMailed } from '../order-store/delivery.ts'
import type { OrderKey } from '../order-store/order-key.ts'
import { giveBackPromotion } from './cancel-order.ts'
import type { Left } from './price-fewer.ts'
import { oweRefund } from './refunds.ts'
import type { SoldOrder } from './sold-order.ts'

type Writing = { sold: SoldOrder; left: Left; totals: Totals; now: Date }

const writePackages = async (tx: Transaction, { orderId, studioId }: OrderKey, plan: Writing): Promise<void> => {
  const { sold, left, totals, now } = plan
  const parts = new Map(totals.perLine.map((one) => [one.lineId, one]))
  for (const row of sold.lines) {
    const line = left.cart.cartPackages.find(({ lineId }) => lineId === row.lineId)
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

const writeServices = async (tx: Transaction, { orderId, studioId }: OrderKey, plan: Writing): Promise<void> => {
  const { sold, left, totals, now } = plan
  const entries = entriesOf(left.cart)
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

const writeOrder = async (tx: Transaction, { orderId, studioId }: OrderKey, plan: Writing): Promise<void> => {
  const { left, totals, now } = plan
  const { packagesCents, servicesCents, discountCents, shippingCents, taxCents, totalCents } = totals
  await sql`
    update orders o set packages_cents = ${packagesCents}, services_cents = ${servicesCents}, discount_cents = ${discountCents},
           shipping_cents = ${shippingCents}, tax_cents = ${taxCents}, total_cents = ${totalCents},
           totals = ${JSON.stringify(totals)}::jsonb, version = version + 1, updated_at = ${now},
           promotion_id = case when ${discountCents}::int = 0 then null else promotion_id end,
           promotion_code = case when ${discountCents}::int = 0 then null else promotion_code end,
           shipping_address = case when ${isMailed(left.cart)} then shipping_address end,
           shipping_option_code = case when ${isMailed(left.cart)} then shipping_option_code end,
           awaits_poses = exists (select from order_lines l where l.studio_id = o.studio_id and l.order_id = o.id and l.needs_poses)
     where o.studio_id = ${studioId} and o.id = ${orderId}`.execute(tx)
}

const writePromotion = async (tx: Transaction, deps: Deps, key: OrderKey, { discountCents }: Totals): Promise<void> => {
  // A code that takes nothing off is not used up by that.
  if (discountCents === 0) return await giveBackPromotion(tx, deps, key)
  await sql`update promotion_uses set amount_cents = ${discountCents}, updated_at = ${deps.clock()}
             where studio_id = ${key.studioId} and order_id = ${key.orderId} and state = 'used'`.execute(tx)
}

const linesBefore = ({ lines }: SoldOrder, { cart }: Left): string =>
  lines
    .map(({ lineId, quantity, snapshot }) => {
      const after = cart.cartPackages.find((line) => line.lineId === lineId)?.quantity ?? 0
      return after === quantity ? '' : `${snapshot.package.name}: ${quantity} to ${after}`
    })
    .filter((words) => words !== '')
    .join(', ')

/** Writes down what is left of an order, what goes back, and all that follows. The caller holds the order's lock. */
export const writeFewer = async (
  tx: Transaction,
  deps: Deps,
  { key, plan, backCents, session }: { key: OrderKey; plan: Writing; backCents: number; session: Session },
): Promise<void> => {
  const { sold, left, totals, now } = plan
  await writePackages(tx, key, plan)
  await writeServices(tx, key, plan)
  await writeOrder(tx, key, plan)
  await writePromotion(tx, deps, key, totals)
  const reason = 'packages taken off by the customer'
  const owed = { amountCents: backCents, reason, sessionId: session.id }
  if (backCents > 0) await oweRefund(tx, deps, { key, owed })
  const { studioId } = key
  const detail = { lines: linesBefore(sold, left), backCents, totalCents: totals.totalCents }
  const noted = {
    studioId,
    action: 'order.reduced',
    entityId: sold.orderNumber,
    detail,
    sessionId: session.id,
  } as const
  await note(tx, deps, noted)
  await deps.jobs.enqueue(tx, 'tell-changed', { ...key, changedAt: now.toISOString() })
}
