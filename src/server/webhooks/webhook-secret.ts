import { createHmac } from 'node:crypto'
import { addHours } from 'date-fns/addHours'
import { Webhook } from 'standardwebhooks'
import { previousSecretHours } from '#domain/developers/webhooks.ts'
import type { Deps } from '#server/deps.ts'

/** The row of a webhook, as far as its secrets depend on it. */
export type SecretRow = {
  readonly studioId: number
  readonly webhookId: number
  readonly secretNumber: number
  readonly secretRotatedAt: Date | null
}

/** The nth secret of a webhook, derived from the server's secret, so that the database stores none. */
const secretOf = ({ settings }: Pick<Deps, 'settings'>, row: SecretRow, secretNumber: number): string => {
  const content = JSON.stringify(['webhook', row.studioId, row.webhookId, secretNumber])
  return `whsec_${createHmac('sha256', settings.secret).update(content).digest('base64')}`
}

/** Until when the previous secret is valid; null if it is not. */
export const previousSecretUntil = ({ secretRotatedAt }: SecretRow, now: Date): Date | null => {
  if (secretRotatedAt === null) return null
  const until = addHours(secretRotatedAt, previousSecretHours)
  return until > now ? until : null
}

/** The current secret of a webhook. */
export const currentSecret = (deps: Pick<Deps, 'settings'>, row: SecretRow): string =>
  secretOf(deps, row, row.secretNumber)

type Signed = { readonly eventId: string; readonly body: string; readonly at: Date }

/** The headers of a request by the Standard Webhooks scheme, signed with each valid secret. */
export const signedHeaders = (
  deps: Pick<Deps, 'settings'>,
  row: SecretRow,
  { eventId, body, at }: Signed,
): Record<string, string> => {
  const numbers = previousSecretUntil(row, at) ? [row.secretNumber, row.secretNumber - 1] : [row.secretNumber]
  const signatures = numbers.map((number) => new Webhook(secretOf(deps, row, number)).sign(eventId, at, body))
  return {
    'content-type': 'application/json',
    'user-agent': 'Fieldproof-Webhooks/1',
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signatures.join(' '),
  }
}

/** The id of an event as its receivers see it. */
export const eventIdOf = (eventKey: string): string => `evt_${eventKey}`
