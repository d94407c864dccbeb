import type { Order } from '#contract/customer/order-calls.ts'
import { trackingLink } from '#domain/orders/tracking-link.ts'
import { formatMoney, sumCents } from '#domain/pricing/money.ts'
import type { Deps } from '#server/deps.ts'
import { emailBodies, type Paragraph, singleLine } from '#server/mail/email-body.ts'
import type { BackgroundJobs } from '#server/queue/background-jobs.ts'
import type { queues } from '#server/queue/queues.ts'
import { readOrderWithoutImages } from '../store/read-customer-order.ts'
import type { OrderKey } from '../store/sold-lines.ts'
import { downloadLines, receiptOf } from './receipt-email.ts'

type OrderEmail = { readonly subject: string; readonly text: string; readonly html: string }

/**
 * Sends a customer an email about their order. An email with the same `key` is sent only once; by default, an order gets one of each kind.
 * `write` returns null if the email is no longer needed.
 */
export const emailCustomer = async (
  deps: Deps,
  { studioId, orderId }: OrderKey,
  {
    kind,
    key = `${kind} ${orderId}`,
    write,
  }: { kind: string; key?: string; write: (order: Order) => OrderEmail | null },
): Promise<void> => {
  const order = await readOrderWithoutImages(deps, { studioId, orderId })
  const message = order && write(order)
  if (!order || !message) return
  const { firstName, lastName, email } = order.customer
  // Orders entered on paper may have no email address.
  if (email === '') return
  const to = { name: singleLine(`${firstName} ${lastName}`), email }
  // Anyone with the link of a download can get its images.
  const secrets = (order.downloads ?? []).map(({ linkId }) => linkId)
  await deps.mail.send({ key, studioId, orderId, kind, to, secrets, ...message })
}

/** Emails the receipt of an order; each `resendId` sends another copy. */
export const sendReceiptEmail = (deps: Deps, { resendId, ...key }: OrderKey & { resendId?: string }): Promise<void> =>
  emailCustomer(deps, key, {
    kind: 'receipt',
    ...(resendId !== undefined && { key: `receipt ${key.orderId} ${resendId}` }),
    write: (order) => receiptOf(order, { address: deps.address(), chargedOrRefundedCents: null }),
  })

/** Emails the current receipt of a changed order, unless the order was cancelled meanwhile: a cancellation has its own email. */
export const sendOrderChangedEmail = (
  deps: Deps,
  { changedAt, chargedOrRefundedCents, ...key }: OrderKey & { changedAt: string; chargedOrRefundedCents: number },
): Promise<void> =>
  emailCustomer(deps, key, {
    kind: 'changed',
    key: `changed ${key.orderId} ${changedAt}`,
    write: (order) =>
      order.state === 'cancelled' ? null : receiptOf(order, { address: deps.address(), chargedOrRefundedCents }),
  })

const downloadsReady = (order: Order, address: string): OrderEmail | null =>
  order.downloads?.length ? downloadsReadyEmail(order, address) : null

const downloadsReadyEmail = (order: Order, address: string): OrderEmail => ({
  subject: singleLine(`Your photos from ${order.studioName} are ready to download`),
  ...emailBodies([
    `${order.customer.firstName}, the files of your order ${order.orderNumber} for ${order.jobName} are ready.`,
    downloadLines(order, address).join('\n'),
    'The links work for ninety days. After that, renew them with your order number and this email address.',
  ]),
})

const trackingParagraphs = (trackingNumber: string): Paragraph[] => {
  const link = trackingLink(trackingNumber)
  const text = `Tracking number: ${trackingNumber}`
  return link ? [`${text}. ${link.carrier} shows where your order is:`, { link: link.href }] : [text]
}

const shippedEmail = ({
  orderNumber,
  customer,
  jobName,
  studioName,
  shippingName,
  trackingNumber,
  ...order
}: Order): OrderEmail => {
  const deliveryText =
    order.delivery === 'home'
      ? `is on its way to you${shippingName ? ` by ${shippingName}` : ''}`
      : 'is on its way to the studio, which will hand it out'
  return {
    subject: singleLine(`Your order ${orderNumber} with ${studioName} was shipped`),
    ...emailBodies([
      `${customer.firstName}, your order ${orderNumber} for ${jobName} ${deliveryText}.`,
      ...(trackingNumber ? trackingParagraphs(trackingNumber) : []),
    ]),
  }
}

const notAddedEmail = ({ orderNumber, customer, jobName, studioName }: Order, cents: number): OrderEmail => ({
  subject: singleLine(`Your order ${orderNumber} with ${studioName} is unchanged`),
  ...emailBodies([
    `${customer.firstName}, your order ${orderNumber} for ${jobName} was changed, or went to the lab, while you paid for more of it. Nothing was added.`,
    `We’ll refund the ${formatMoney(cents)} you paid for that to your original payment method; banks take up to ten days to show it.`,
  ]),
})

const cancelledEmail = (order: Order): OrderEmail => {
  const { orderNumber, customer, jobName, studioName, cardEnding, refunds = [] } = order
  const cents = sumCents(refunds.map((refund) => refund.amountCents))
  const refundText = `We’ll refund ${formatMoney(cents)} to ${cardEnding ? `the card ending in ${cardEnding}` : 'your original payment method'}; banks take up to ten days to show it.`
  return {
    subject: singleLine(`Your order ${orderNumber} with ${studioName} is cancelled`),
    ...emailBodies([
      `${customer.firstName}, your order ${orderNumber} for ${jobName} is cancelled. We won’t make it.`,
      ...(cents > 0 ? [refundText] : []),
    ]),
  }
}

export const startOrderEmailWorkers = async (jobs: BackgroundJobs<typeof queues>, deps: Deps): Promise<void> => {
  await jobs.work('send-receipt', 2, ({ payload }) => sendReceiptEmail(deps, payload))
  await jobs.work('send-changed-email', 2, ({ payload }) => sendOrderChangedEmail(deps, payload))
  await jobs.work('send-increase-failed-email', 2, ({ payload: { attemptId, amountCents, ...key } }) =>
    emailCustomer(deps, key, {
      kind: 'not-added',
      key: `not-added ${key.orderId} ${attemptId}`,
      write: (order) => notAddedEmail(order, amountCents),
    }),
  )
  await jobs.work('send-download-email', 2, ({ payload: { madeAt, ...key } }) =>
    emailCustomer(deps, key, {
      kind: 'downloads',
      key: `downloads ${key.orderId} ${madeAt}`,
      write: (order) => downloadsReady(order, deps.address()),
    }),
  )
  await jobs.work('send-shipped-email', 2, ({ payload }) =>
    emailCustomer(deps, payload, { kind: 'shipped', write: shippedEmail }),
  )
  await jobs.work('send-cancelled-email', 2, ({ payload }) =>
    emailCustomer(deps, payload, { kind: 'cancelled', write: cancelledEmail }),
  )
}
