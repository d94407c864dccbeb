import type { Cart } from '#domain/cart/cart.ts'
import type { SubjectKey } from '#domain/cart/mutation.ts'
import type { JobServices } from '#domain/cart/order-service-types.ts'
import { cartServicesOf, isSameSubject } from '#domain/cart/order-services.ts'
import { splitCents, toCents } from '#domain/pricing/money.ts'
import type { Totals } from '#domain/pricing/pricing.ts'
import type { Transaction } from '#server/database/database.ts'

/** The order lines of the services, each with its part of the discount and the tax. */
const serviceLines = (cart: Cart, totals: Totals, offered: JobServices) => {
  const entries = cartServicesOf(cart)
  const cents = entries.map(({ price }) => toCents(price))
  const splitAmount = (amount: number) => splitCents(amount, amount === 0 ? cents.map(() => 1) : cents)
  const [discounts, taxes] = [splitAmount(totals.services.discountCents), splitAmount(totals.services.taxCents)]
  const subjectOf = (entry: SubjectKey) =>
    cart.cartPackages.find((line) => isSameSubject(line, entry))?.snapshot.subject
  return entries.map((entry, index) => {
    const service = offered.services.find(({ orderServiceId }) => orderServiceId === entry.orderServiceId)
    const kind = service?.kind ?? 'service'
    const amount = cents[index] ?? 0
    return {
      kind,
      subject_id: entry.subjectId,
      order_service_id: entry.orderServiceId,
      name: service?.name ?? 'Service',
      quantity: 1,
      unit_cents: amount,
      amount_cents: amount,
      discount_cents: discounts[index] ?? 0,
      tax_cents: taxes[index] ?? 0,
      snapshot: JSON.stringify({ subject: subjectOf(entry), images: [], service: entry }),
      content: null,
    }
  })
}

/** Inserts the services of a paid cart after its packages. */
export const insertOrderServices = async (
  tx: Transaction,
  { studioId, orderId }: { studioId: number; orderId: number },
  { cart, totals, offered }: { cart: Cart; totals: Totals; offered: JobServices },
): Promise<void> => {
  const lines = serviceLines(cart, totals, offered).map((line, index) => ({
    studio_id: studioId,
    order_id: orderId,
    position: cart.cartPackages.length + index,
    ...line,
  }))
  if (lines.length > 0) await tx.insertInto('order_lines').values(lines).execute()
}
