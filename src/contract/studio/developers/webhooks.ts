import { array, boolean, enums, type Infer, integer, nullable, object, optional, string, type } from 'superstruct'
import { webhookEvents } from '#domain/developers/webhooks.ts'
import { call } from '../../shapes/call.ts'
import { Count, Id, Instant, shortText } from '../../shapes/primitives.ts'
import { resource, withId } from '../../shapes/resource.ts'
import { listOf } from '../../shapes/responses.ts'
import { expectedVersion, listQuery, owners, readProblems, studioParams, studioPath } from '../../shapes/staff-call.ts'

/** An address to which events of the studio are posted. */
export const Webhook = type({
  id: integer(),
  url: string(),
  events: array(enums(webhookEvents)),
  isEnabled: boolean(),
  /** Since when every attempt failed. */
  failingSince: nullable(Instant),
  /** When it was disabled because it failed for days. */
  disabledAt: nullable(Instant),
  createdAt: Instant,
  version: Count,
})
export type Webhook = Infer<typeof Webhook>

/** `url`: loose, so that the domain answers an invalid one with a message. */
const draft = { url: shortText(2000), events: array(enums(webhookEvents)) }
const webhookParams = withId(studioParams)

const webhooks = resource({
  base: `${studioPath}/webhooks`,
  who: owners,
  listParams: object(studioParams),
  itemParams: object(webhookParams),
  query: object(listQuery),
  row: Webhook,
  item: Webhook,
  draft: object(draft),
  replacement: object({ ...draft, isEnabled: boolean(), ...expectedVersion }),
})
export const {
  get: getWebhook,
  list: listWebhooks,
  post: postWebhook,
  put: putWebhook,
  remove: deleteWebhook,
} = webhooks

/** `previousUntil`: until when the previous secret is valid too, after a rotation. */
const WebhookSecret = type({ secret: string(), previousUntil: nullable(Instant) })

/** The secret by which requests of the webhook are signed. */
export const getWebhookSecret = call({
  method: 'GET',
  path: `${getWebhook.path}/secret`,
  who: owners,
  params: object(webhookParams),
  answer: WebhookSecret,
  problems: readProblems,
})

/** Makes a new secret. For 24 hours requests are signed with both. */
export const rotateWebhookSecret = call({
  ...getWebhookSecret,
  method: 'POST',
  path: `${getWebhook.path}/rotate-secret`,
  problems: [...readProblems, 'refused'],
})

export const deliveryStates = ['waiting', 'delivered', 'failed'] as const
const DeliveryState = enums(deliveryStates)

/** An event on its way to a webhook. `failed`: given up after three days. */
export const WebhookDelivery = type({
  id: integer(),
  /** The value of the header `webhook-id`, the same for every attempt. */
  eventId: string(),
  event: string(),
  orderNumber: nullable(string()),
  state: DeliveryState,
  attempts: Count,
  /** The status of the last answer; null without one. */
  status: nullable(integer()),
  error: nullable(string()),
  createdAt: Instant,
  /** When the next attempt is due; null if none is. */
  nextAttemptAt: nullable(Instant),
})
export type WebhookDelivery = Infer<typeof WebhookDelivery>

/** The deliveries of a webhook in the last 30 days, newest first. */
export const listWebhookDeliveries = call({
  ...getWebhookSecret,
  path: `${getWebhook.path}/deliveries`,
  query: object({ ...listQuery, state: optional(DeliveryState) }),
  answer: listOf(WebhookDelivery),
})

/** A delivery with its request and each attempt. `answer`: the first kilobyte. */
export const WebhookDeliveryDetails = type({
  ...WebhookDelivery.schema,
  body: string(),
  log: array(
    type({
      at: Instant,
      status: nullable(integer()),
      error: nullable(string()),
      answer: nullable(string()),
      milliseconds: Count,
    }),
  ),
})
export type WebhookDeliveryDetails = Infer<typeof WebhookDeliveryDetails>

const deliveryParams = object({ ...webhookParams, deliveryId: Id })

export const getWebhookDelivery = call({
  ...getWebhookSecret,
  path: `${getWebhook.path}/deliveries/:deliveryId`,
  params: deliveryParams,
  answer: WebhookDeliveryDetails,
})

/** Sends one event again, with the same id. */
export const replayWebhookDelivery = call({
  ...rotateWebhookSecret,
  path: `${getWebhookDelivery.path}/replay`,
  params: deliveryParams,
  answer: WebhookDelivery,
})

/** Sends all events since an instant again, with the same ids. `count`: how many. */
export const replayWebhook = call({
  ...rotateWebhookSecret,
  path: `${getWebhook.path}/replay`,
  body: object({ from: Instant }),
  answer: type({ count: Count }),
})

/** Sends a test event. */
export const testWebhook = call({
  ...rotateWebhookSecret,
  path: `${getWebhook.path}/test`,
  answer: WebhookDelivery,
})
