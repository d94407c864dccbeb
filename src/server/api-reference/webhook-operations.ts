import { orderEvents, testEvent, webhookEventLabels, webhookEvents } from '#domain/developers/webhooks.ts'
import type { JsonSchema } from './json-schema.ts'

type Content = Readonly<Record<string, { schema: JsonSchema }>>

/** What is posted for an event, as far as the reference page reads it. */
export type WebhookOperation = {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly requestBody: { readonly content: Content }
  readonly responses: Readonly<Record<string, { description: string }>>
}

const id: JsonSchema = { type: 'integer', minimum: 1 }

const orderData: JsonSchema = {
  type: 'object',
  properties: {
    ...{ studioId: id, jobId: id, orderNumber: { type: 'string' }, state: { type: 'string' } },
    ...{ totalCents: { type: 'integer', minimum: 0 }, currency: { type: 'string' } },
    amountCents: { type: 'integer', description: 'What was refunded, or paid for what was added later' },
  },
  required: ['studioId', 'jobId', 'orderNumber', 'state', 'totalCents', 'currency'],
}

const galleryData: JsonSchema = {
  type: 'object',
  properties: {
    ...{ studioId: id, jobId: id, jobName: { type: 'string' } },
    imageCount: { type: ['integer', 'null'], description: 'How many photos; null if the gallery was opened' },
  },
  required: ['studioId', 'jobId', 'jobName', 'imageCount'],
}

const testData: JsonSchema = { type: 'object', properties: { studioId: id, message: { type: 'string' } } }

/** The data of an event. */
const dataOf = (event: string): JsonSchema => {
  if (event === testEvent) return testData
  return orderEvents.some((orderEvent) => orderEvent === event) ? orderData : galleryData
}

const bodyOf = (event: string): JsonSchema => ({
  type: 'object',
  properties: {
    type: { type: 'string', enum: [event] },
    timestamp: { type: 'string', format: 'date-time' },
    data: dataOf(event),
  },
  required: ['type', 'timestamp', 'data'],
})

const operationOf = (event: string, { name, about }: { name: string; about: string }): WebhookOperation => ({
  operationId: event,
  summary: name,
  description: about,
  requestBody: { content: { 'application/json': { schema: bodyOf(event) } } },
  responses: {
    '2XX': { description: 'Received. Any other answer, or none within 10 seconds, is tried again for three days' },
  },
})

/** The webhooks of the OpenAPI document, by event. */
export const describeWebhooks = (): Record<string, { post: WebhookOperation }> => ({
  ...Object.fromEntries(webhookEvents.map((event) => [event, { post: operationOf(event, webhookEventLabels[event]) }])),
  [testEvent]: { post: operationOf(testEvent, { name: 'Test', about: 'Sent on request, to test a webhook' }) },
})
