import type { Order } from '#contract/customer/checkout-calls.ts'
import { formatMoney, sumCents } from '#domain/pricing/money.ts'
import type { Deps } from '#server/deps.ts'
import { emailBodies } from '#server/mail/email-body.ts'
import { singleLine } from '#server/mail/single-line.ts'
import type { BackgroundJobs } from '#server/queue/background-jobs.ts'
import type { queues } from '#server/queue/queues.ts'
import type { OrderKey } from '../store/order-key.ts'
import { readCustomerOrder } from '../store/read-customer-order.ts'
import { downloadLines, receiptOf } from './receipt-email.ts'

/** Mail is nobody's visit: it shows no pictures. */
const nobody = { id: 0 }

type OrderEmail = { readonly subject: string; readonly text: string; readonly html: string }

/**
 * Mails a customer about their order; the same `key` is the same message, however often it is asked for. Default: one of each kind.
 * Where there is nothing to say any more, `write` gives null.
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
  const visit = { session: nobody, job: { studioId, jobId: 0 } }
  const order = await readCustomerOrder(deps.db, { studioId, orderId }, { visit, now: deps.clock() })
  const letter = order && write(order)
  if (!order || !letter) return
  const { firstName, lastName, email } = order.customer
  // Whoever ordered on paper need not have given one.
  if (email === '') return
  const to = { name: singleLine(`${firstName} ${lastName}`), email }
  // Whoever has the link of a download has the pictures.
  const secrets = (order.downloads ?? []).map(({ linkId }) => linkId)
  await deps.mail.send({ key, studioId, kind, to, secrets, ...letter })
}

/** Mails an order's receipt; once more for each `again`. */
export const sendReceiptEmail = (deps: Deps, { again, ...key }: OrderKey & { again?: string }): Promise<void> =>
  emailCustomer(deps, key, {
    kind: 'receipt',
    ...(again !== undefined && { key: `receipt ${key.orderId} ${again}` }),
    write: (order) => receiptOf(order, { address: deps.address(), movedCents: null }),
  })

/** Mails the receipt of an order that was changed, as it is by then; one that was cancelled since says that itself. */
export const sendOrderChangedEmail = (
  deps: Deps,
  { changedAt, movedCents, ...key }: OrderKey & { changedAt: string; movedCents: number },
): Promise<void> =>
  emailCustomer(deps, key, {
    kind: 'changed',
    key: `changed ${key.orderId} ${changedAt}`,
    write: (order) => (order.state === 'cancelled' ? null : receiptOf(order, { address: deps.address(), movedCents })),
  })

const ready = (order: Order, address: string): OrderEmail | null =>
  order.downloads?.length ? readyLetter(order, address) : null

const readyLetter = (order: Order, address: string): OrderEmail => ({
  subject: singleLine(`Your pictures with ${order.studioName} are ready to download`),
  ...emailBodies([
    `${order.customer.firstName}, the files of your order ${order.orderNumber} for ${order.jobName} are ready.`,
    downloadLines(order, address).join('\n'),
    'The links are good for ninety days; after that, the order’s number and this e-mail address renew them.',
  ]),
})

const shipped = ({
  orderNumber,
  customer,
  jobName,
  studioName,
  shippingName,
  trackingNumber,
  ...order
}: Order): OrderEmail => {
  const way =
    order.delivery === 'home'
      ? `is on its way to you${shippingName ? ` by ${shippingName}` : ''}`
      : 'is on its way to the studio, who hands it out'
  return {
    subject: singleLine(`Your order ${orderNumber} with ${studioName} was shipped`),
    ...emailBodies([
      `${customer.firstName}, your order ${orderNumber} for ${jobName} ${way}.`,
      ...(trackingNumber ? [`Tracking number: ${trackingNumber}`] : []),
    ]),
  }
}

const notAdded = ({ orderNumber, customer, jobName, studioName }: Order, cents: number): OrderEmail => ({
  subject: singleLine(`Your order ${orderNumber} with ${studioName} stays as it is`),
  ...emailBodies([
    `${customer.firstName}, your order ${orderNumber} for ${jobName} was changed, or went to the lab, while you paid for more of it. Nothing was added.`,
    `The ${formatMoney(cents)} you paid for that goes back to where it came from; banks take up to ten days to show it.`,
  ]),
})

const cancelled = (order: Order): OrderEmail => {
  const { orderNumber, customer, jobName, studioName, cardEnding, refunds = [] } = order
  const cents = sumCents(refunds.map((refund) => refund.amountCents))
  const back = `${formatMoney(cents)} goes back to ${cardEnding ? `the card ending in ${cardEnding}` : 'where it came from'}; banks take up to ten days to show it.`
  return {
    subject: singleLine(`Your order ${orderNumber} with ${studioName} is cancelled`),
    ...emailBodies([
      `${customer.firstName}, your order ${orderNumber} for ${jobName} is cancelled. Nothing will be made.`,
      ...(cents > 0 ? [back] : []),
    ]),
  }
}

export const workOnOrderEmails = async (jobs: BackgroundJobs<typeof queues>, deps: Deps): Promise<void> => {
  await jobs.work('send-receipt', 2, ({ payload }) => sendReceiptEmail(deps, payload))
  await jobs.work('tell-changed', 2, ({ payload }) => sendOrderChangedEmail(deps, payload))
  await jobs.work('tell-not-added', 2, ({ payload: { attemptId, amountCents, ...key } }) =>
    emailCustomer(deps, key, {
      kind: 'not-added',
      key: `not-added ${key.orderId} ${attemptId}`,
      write: (order) => notAdded(order, amountCents),
    }),
  )
  await jobs.work('tell-downloads', 2, ({ payload: { madeAt, ...key } }) =>
    emailCustomer(deps, key, {
      kind: 'downloads',
      key: `downloads ${key.orderId} ${madeAt}`,
      write: (order) => ready(order, deps.address()),
    }),
  )
  await jobs.work('tell-shipped', 2, ({ payload }) => emailCustomer(deps, payload, { kind: 'shipped', write: shipped }))
  await jobs.work('tell-cancelled', 2, ({ payload }) =>
    emailCustomer(deps, payload, { kind: 'cancelled', write: cancelled }),
  )
}
