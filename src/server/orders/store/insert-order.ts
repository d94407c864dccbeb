import type { CheckoutDetails } from '#contract/customer/checkout-calls.ts'
import type { Cart, CartPackage } from '#domain/cart/cart.ts'
import type { JobServices } from '#domain/cart/order-service-types.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { isEditableImageNode } from '#domain/catalogue/nodes.ts'
import { orderNumberFrom } from '#domain/orders/order-number.ts'
import { promotionCodesLabel } from '#domain/pricing/discounts.ts'
import { timesCents, toCents } from '#domain/pricing/money.ts'
import type { PricedLine, Totals } from '#domain/pricing/pricing.ts'
import { hasPrints } from '#domain/pricing/shipping.ts'
import { saveFieldAnswers } from '#server/carts/store/save-field-answers.ts'
import type { Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { lockJob } from '#server/jobs/store/find-job.ts'
import { shippingAddressOf, taxAddressOf } from '../sale/shipping-choice.ts'
import { assignToOpenBatch } from './assign-batch.ts'
import { insertOrderServices } from './insert-order-services.ts'
import { lockOrder } from './move-order.ts'
import type { OrderKey } from './sold-lines.ts'

/** A new order, from a checkout or entered by staff. */
export type NewOrder = {
  readonly studioId: number
  readonly jobId: number
  readonly cart: Cart
  readonly totals: Totals
  readonly details: CheckoutDetails
  readonly jobVersion: string
  readonly shippingCode: string | null
  readonly services: JobServices
  readonly payMethod: 'card' | 'cash' | 'check' | 'none'
  readonly cardEnding: string | null
  readonly currency: string
  /** The checkout of a session, or the user who entered it. */
  readonly from:
    | { readonly cartId: number; readonly checkoutId: string; readonly sessionId: number }
    | { readonly userId: number; readonly entryKey: string }
}

/** Draws an unused order number. A collision with a concurrent draw violates the unique constraint. */
const drawOrderNumber = async (tx: Transaction, { randomBytes }: Deps): Promise<string> => {
  for (;;) {
    const number = orderNumberFrom(randomBytes(8))
    const existing = await tx
      .selectFrom('order_links')
      .select('order_id')
      .where('order_number', '=', number)
      .executeTakeFirst()
    if (!existing) return number
  }
}

const awaitsImageChoice = (line: CartPackage, orderMethod: OrderMethod): boolean =>
  orderMethod === 'prepay' && line.snapshot.package.items.some((item) => item.imageNodes.some(isEditableImageNode))

/**
 * Whether an order waits for its batch and is shipped to the studio. An order of only digital files is not, whatever
 * the customer chose.
 */
const isBatched = ({ isPartOfBatchOrder }: CheckoutDetails, cart: Cart): boolean =>
  isPartOfBatchOrder && hasPrints(cart)

const sourceColumns = (from: NewOrder['from']) =>
  'userId' in from
    ? { entered_by: from.userId, entry_key: from.entryKey }
    : { cart_id: from.cartId, checkout_id: from.checkoutId, session_id: from.sessionId }

const insertRow = async (
  tx: Transaction,
  deps: Deps,
  order: NewOrder,
): Promise<{ orderId: number; orderNumber: string }> => {
  const { studioId, cart, totals, details } = order
  const { customer } = details
  const orderNumber = await drawOrderNumber(tx, deps)
  const now = deps.clock()
  const email = customer.email.trim()
  const address = hasPrints(cart) ? shippingAddressOf(details) : null
  const { id } = await tx
    .insertInto('orders')
    .values({
      studio_id: studioId,
      order_number: orderNumber,
      job_id: order.jobId,
      ...sourceColumns(order.from),
      order_method: cart.orderMethod,
      awaits_poses: cart.cartPackages.some((line) => awaitsImageChoice(line, cart.orderMethod)),
      first_name: customer.firstName.trim(),
      last_name: customer.lastName.trim(),
      email,
      email_key: email.toLowerCase(),
      phone: customer.phone.trim(),
      billing_address: JSON.stringify(details.billingAddress),
      shipping_address: address && JSON.stringify(address),
      pay_method: order.payMethod,
      card_ending: order.cardEnding,
      shipping_option_code: hasPrints(cart) ? order.shippingCode : null,
      is_part_of_batch_order: isBatched(details, cart),
      promotion_code: promotionCodesLabel(totals.promotions),
      packages_cents: totals.packagesCents,
      services_cents: totals.servicesCents,
      discount_cents: totals.discountCents,
      late_fee_cents: totals.lateFeeCents,
      shipping_cents: totals.shippingCents,
      tax_cents: totals.taxCents,
      total_cents: totals.totalCents,
      totals: JSON.stringify(totals),
      tax_state: taxAddressOf(details).state.trim().toUpperCase(),
      currency: order.currency,
      job_version: order.jobVersion,
      placed_at: now,
      moved_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const link = { order_number: orderNumber, studio_id: studioId, order_id: id }
  await tx.insertInto('order_links').values(link).execute()
  return { orderId: id, orderNumber }
}

/** The columns of a sold line, with a snapshot that later changes by the studio do not affect. */
const lineColumns = (line: CartPackage, priced: PricedLine | undefined) => {
  const unit = toCents(line.price)
  return {
    kind: 'package' as const,
    line_id: line.lineId,
    subject_id: line.subjectId,
    package_id: line.packageId,
    package_version: line.snapshot.package.version,
    green_screen_id: line.greenScreen?.id ?? null,
    name: line.snapshot.package.name,
    quantity: line.quantity,
    unit_cents: unit,
    amount_cents: timesCents(unit, line.quantity),
    discount_cents: priced?.discountCents ?? 0,
    tax_cents: priced?.taxCents ?? 0,
    snapshot: JSON.stringify(line.snapshot),
    content: JSON.stringify(line.cartPackageItems),
  }
}

const insertLines = async (
  tx: Transaction,
  { studioId, orderId }: OrderKey,
  { cart, totals }: Pick<NewOrder, 'cart' | 'totals'>,
): Promise<void> => {
  const pricedByLine = new Map(totals.perLine.map((pricedLine) => [pricedLine.lineId, pricedLine]))
  const lines = cart.cartPackages.map((line, position) => ({
    studio_id: studioId,
    order_id: orderId,
    position,
    needs_poses: awaitsImageChoice(line, cart.orderMethod),
    ...lineColumns(line, pricedByLine.get(line.lineId)),
  }))
  await tx.insertInto('order_lines').values(lines).execute()
}

/** Adds ordered subjects that the customer typed in to the job's list, and for prepay orders saves the answers to the job's fields. */
const saveOrderedSubjects = async (tx: Transaction, studioId: number, cart: Cart): Promise<void> => {
  const fieldsBySubject = new Map(cart.cartPackages.map(({ subjectId, dataFields }) => [subjectId, dataFields]))
  for (const [subjectId, dataFields] of fieldsBySubject) {
    if (subjectId === null) continue
    await tx
      .updateTable('subjects')
      .set({ state: 'listed' })
      .where('studio_id', '=', studioId)
      .where('id', '=', subjectId)
      .where('state', '=', 'pending')
      .execute()
    if (cart.orderMethod === 'prepay') await saveFieldAnswers(tx, { studioId, subjectId, dataFields })
  }
}

/**
 * Inserts an order: number, lines, subjects, and its first state. The caller adds payment, downloads and batch. Locks the job before the
 * lines, which lock the counts of their subjects, because matching or moving images locks them in this order too.
 */
export const insertOrder = async (
  tx: Transaction,
  deps: Deps,
  order: NewOrder,
): Promise<{ orderId: number; orderNumber: string }> => {
  const { studioId, cart, totals } = order
  await lockJob(tx, order)
  const inserted = await insertRow(tx, deps, order)
  const key = { studioId, orderId: inserted.orderId }
  await insertLines(tx, key, order)
  await insertOrderServices(tx, key, { cart, totals, offered: order.services })
  await saveOrderedSubjects(tx, studioId, cart)
  await tx
    .insertInto('order_moves')
    .values({ studio_id: studioId, order_id: inserted.orderId, to_state: 'placed', moved_at: deps.clock() })
    .execute()
  return inserted
}

/** Assigns a new order to its job's batch if it is shipped to the studio. */
export const assignNewOrderToBatch = async (
  tx: Transaction,
  deps: Deps,
  { key, details, cart }: { key: OrderKey; details: CheckoutDetails; cart: Cart },
): Promise<void> => {
  if (!isBatched(details, cart)) return
  const order = await lockOrder(tx, key)
  if (!order) throw new Error(`order ${key.orderId} was placed and does not exist`)
  await assignToOpenBatch(tx, deps, { key, order })
}
