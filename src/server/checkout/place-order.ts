import type { Cart, CartPackage } from '../../domain/cart.ts'
import type { OrderMethod } from '../../domain/catalogue.ts'
import { timesCents, toCents } from '../../domain/money.ts'
import { isEditableImageNode } from '../../domain/nodes.ts'
import { orderNumberFrom } from '../../domain/order-number.ts'
import type { PricedLine } from '../../domain/pricing.ts'
import { hasPrints } from '../../domain/shipping.ts'
import { giveGrant } from '../admission/grants.ts'
import { note } from '../audit/note.ts'
import { readCart } from '../cart-store/read-cart.ts'
import type { Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { mailedTo } from '../order-store/delivery.ts'
import { holdInBatch } from '../order-store/hold-in-batch.ts'
import { keepDownloads } from '../order-store/keep-downloads.ts'
import { lockOrder } from '../order-store/move-order.ts'
import type { OrderKey } from '../order-store/order-key.ts'
import type { Attempt } from './attempts.ts'
import { insertCharge } from './insert-charge.ts'
import { keepPeople } from './keep-people.ts'
import { type Basis, readBasis } from './order-basis.ts'
import { insertServices } from './order-services.ts'
import { usePromotion } from './promotion-uses.ts'

type Paid = { readonly attempt: Attempt; readonly reference: string; readonly cardEnding: string | null }

/** A number nobody has; that two are drawn alike at the same moment is left to the database to refuse. */
const freeNumber = async (tx: Transaction, { randomBytes }: Deps): Promise<string> => {
  for (;;) {
    const number = orderNumberFrom(randomBytes(8))
    const taken = await tx
      .selectFrom('order_links')
      .select('order_id')
      .where('order_number', '=', number)
      .executeTakeFirst()
    if (!taken) return number
  }
}

const awaitsPoses = (line: CartPackage, orderMethod: OrderMethod): boolean =>
  orderMethod === 'prepay' && line.snapshot.package.items.some((item) => item.imageNodes.some(isEditableImageNode))

/** Whether an order waits for its batch and goes to the studio: files go nowhere, whatever was chosen for them. */
const isHeld = ({ isPartOfBatchOrder }: Basis['details'], cart: Cart): boolean => isPartOfBatchOrder && hasPrints(cart)

const hold = async (tx: Transaction, deps: Deps, key: OrderKey): Promise<void> => {
  const order = await lockOrder(tx, key)
  if (!order) throw new Error(`order ${key.orderId} was placed and is not there`)
  await holdInBatch(tx, deps, { key, order })
}

const insertOrder = async (
  tx: Transaction,
  deps: Deps,
  { paid, basis, cart }: { paid: Paid; basis: Basis; cart: Cart },
): Promise<{ orderId: number; orderNumber: string }> => {
  const { attempt, cardEnding } = paid
  const { details, orderMethod } = basis
  const { customer } = details
  const { totals } = attempt
  const orderNumber = await freeNumber(tx, deps)
  const now = deps.clock()
  const email = customer.email.trim()
  const address = hasPrints(cart) ? mailedTo(details) : null
  const { id } = await tx
    .insertInto('orders')
    .values({
      studio_id: attempt.studioId,
      order_number: orderNumber,
      job_id: attempt.jobId,
      cart_id: attempt.cartId,
      checkout_id: attempt.checkoutId,
      session_id: attempt.sessionId,
      order_method: orderMethod,
      awaits_poses: cart.cartPackages.some((line) => awaitsPoses(line, orderMethod)),
      first_name: customer.firstName.trim(),
      last_name: customer.lastName.trim(),
      email,
      email_key: email.toLowerCase(),
      phone: customer.phone.trim(),
      billing_address: JSON.stringify(details.billingAddress),
      shipping_address: address && JSON.stringify(address),
      pay_method: attempt.payMethod,
      card_ending: cardEnding,
      shipping_option_code: hasPrints(cart) ? basis.shippingCode : null,
      is_part_of_batch_order: isHeld(details, cart),
      mail_to_home: details.mailToHome,
      promotion_id: basis.promotion?.id ?? null,
      promotion_code: basis.promotion?.code ?? null,
      packages_cents: totals.packagesCents,
      services_cents: totals.servicesCents,
      discount_cents: totals.discountCents,
      shipping_cents: totals.shippingCents,
      tax_cents: totals.taxCents,
      total_cents: totals.totalCents,
      totals: JSON.stringify(totals),
      currency: attempt.currency,
      job_version: basis.jobVersion,
      placed_at: now,
      moved_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const link = { order_number: orderNumber, studio_id: attempt.studioId, order_id: id }
  await tx.insertInto('order_links').values(link).execute()
  return { orderId: id, orderNumber }
}

/** A line as it was sold; what it was made from stays with it whatever the studio changes later. */
const soldLine = (line: CartPackage, priced: PricedLine | undefined) => {
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
  orderId: number,
  { cart, paid: { attempt } }: { cart: Cart; paid: Paid },
): Promise<void> => {
  const priced = new Map(attempt.totals.perLine.map((one) => [one.lineId, one]))
  const lines = cart.cartPackages.map((line, position) => ({
    studio_id: attempt.studioId,
    order_id: orderId,
    position,
    needs_poses: awaitsPoses(line, cart.orderMethod),
    ...soldLine(line, priced.get(line.lineId)),
  }))
  await tx.insertInto('order_lines').values(lines).execute()
}

/**
 * Makes the order of a paid cart: number, lines as they were sold, the charge, its first state, its place in the job's batch where it
 * goes to the studio, the right of this visit to see it, and the receipt to be sent. Part of the transaction that writes the
 * payment's outcome.
 */
export const placeOrder = async (tx: Transaction, deps: Deps, paid: Paid): Promise<void> => {
  const { attempt } = paid
  const { studioId, jobId } = attempt
  const basis = await readBasis(tx, attempt)
  const visit = { session: { id: attempt.sessionId }, job: { studioId, jobId } }
  const cart = await readCart(tx, { ...visit, orderMethod: basis.orderMethod }, deps.clock())
  if (cart?.id !== attempt.cartId) throw new Error(`the cart of attempt ${attempt.attemptId} is not there`)
  const { orderId, orderNumber } = await insertOrder(tx, deps, { paid, basis, cart })
  await insertLines(tx, orderId, { cart, paid })
  await insertServices(tx, { studioId, orderId }, { cart, totals: attempt.totals, offered: basis.services })
  await keepPeople(tx, studioId, cart)
  await insertCharge(tx, deps, { orderId, attempt, reference: paid.reference })
  // The receipt tells of them; of pictures that are still to be taken, a mail once they are there.
  const told = () => basis.orderMethod === 'gallery'
  await keepDownloads(tx, deps, { studioId, orderId, told })
  await usePromotion(tx, deps, { attempt, orderId })
  await tx
    .insertInto('order_moves')
    .values({ studio_id: studioId, order_id: orderId, to_state: 'placed', moved_at: deps.clock() })
    .execute()
  const detail = { attemptId: attempt.attemptId, totalCents: attempt.totals.totalCents }
  const { sessionId } = attempt
  await note(tx, deps, { studioId, action: 'order.placed', entityId: orderNumber, detail, sessionId })
  if (isHeld(basis.details, cart)) await hold(tx, deps, { studioId, orderId })
  await giveGrant(tx, deps, visit, { kind: 'order', orderId })
  await deps.jobs.enqueue(tx, 'send-receipt', { studioId, orderId })
}
