/** The events of orders. A webhook receives those of one order in the order in which they happened. */
export const orderEvents = ['order.placed', 'order.paid', 'order.changed', 'order.shipped', 'order.refunded'] as const
export type OrderEvent = (typeof orderEvents)[number]

/** The events that a webhook can be subscribed to. */
export const webhookEvents = [...orderEvents, 'gallery.published'] as const
export type WebhookEvent = (typeof webhookEvents)[number]

/** The event that is sent to test a webhook. */
export const testEvent = 'webhook.test'

export const webhookEventLabels: Readonly<Record<WebhookEvent, { name: string; about: string }>> = {
  'order.placed': { name: 'Order placed', about: 'A customer placed an order, or staff entered one' },
  'order.paid': { name: 'Order paid', about: 'A payment was made, also for what was added later' },
  'order.changed': { name: 'Order changed', about: 'Its packages, texts, photos or state changed' },
  'order.shipped': { name: 'Order shipped', about: 'Staff marked it as shipped' },
  'order.refunded': { name: 'Order refunded', about: 'A refund was made' },
  'gallery.published': { name: 'Gallery published', about: 'A gallery was opened, or photos were published in it' },
}

/** The limit on a studio's webhooks, above what a studio needs. */
export const maxWebhooks = 20

const minute = 60
const hour = 60 * minute
/** The seconds after each failed attempt until the next one. */
const delays = [5, 30, 2 * minute, 10 * minute, 30 * minute, hour, 2 * hour, 4 * hour, 8 * hour, 12 * hour] as const

/** Hours after which a delivery that failed each time is given up. */
export const retryHours = 72
/** Days of failed attempts, without a success, after which a webhook is disabled. */
export const failingDays = 5
/** Hours for which the previous secret of a webhook stays valid. */
export const previousSecretHours = 24
/** Days for which events and their deliveries are stored. */
export const webhookLogDays = 30

/** Seconds from the nth failed attempt (from 1) to the next. */
export const retryDelaySeconds = (attempts: number): number =>
  delays[Math.min(Math.max(attempts, 1), delays.length) - 1] ?? delays[0]
