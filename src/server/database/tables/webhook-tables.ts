import type { WebhookEvent } from '#domain/developers/webhooks.ts'
import type { Generated, Json, Moment } from './columns.ts'

export interface WebhookTables {
  webhooks: Webhooks
  webhook_events: WebhookEvents
  webhook_deliveries: WebhookDeliveries
  webhook_attempts: WebhookAttempts
}

type Webhooks = {
  studio_id: number
  id: Generated<number>
  url: string
  events: Json<WebhookEvent[]>
  secret_number: Generated<number>
  secret_rotated_at: Moment | null
  failing_since: Moment | null
  is_enabled: Generated<boolean>
  disabled_at: Moment | null
  version: Generated<number>
  created_at: Moment
  updated_at: Moment
}

type WebhookEvents = {
  studio_id: number
  id: Generated<number>
  event_key: string
  event: string
  order_id: number | null
  order_number: string | null
  body: string
  created_at: Moment
}

type WebhookDeliveries = {
  studio_id: number
  id: Generated<number>
  webhook_id: number
  event_id: number
  order_id: number | null
  state: Generated<'waiting' | 'delivered' | 'failed'>
  attempts: Generated<number>
  status: number | null
  error: string | null
  queued_at: Moment
  next_attempt_at: Moment
}

type WebhookAttempts = {
  studio_id: number
  id: Generated<number>
  delivery_id: number
  attempted_at: Moment
  status: number | null
  error: string | null
  answer: string | null
  duration_ms: number
}
