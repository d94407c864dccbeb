import type { Infer } from 'superstruct'
import type { postWebhook, putWebhook, Webhook } from '#contract/studio/developers/webhooks.ts'
import { maxWebhooks, webhookEvents } from '#domain/developers/webhooks.ts'
import { fixFieldsMessage } from '#domain/shared/validators.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import { type Db, inTransaction, type Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { isStale, type Problem, problem } from '#server/http/problem.ts'
import { currentSecret, previousSecretUntil, type SecretRow } from './webhook-secret.ts'

export type WebhookKey = { readonly studioId: number; readonly id: number }
type Draft = Infer<(typeof postWebhook)['body']>
type Replacement = Infer<(typeof putWebhook)['body']>
type Secret = { secret: string; previousUntil: string | null }

/** Selects the webhooks of a studio. */
export const selectWebhooks = (db: Db | Transaction, studioId: number) =>
  db.selectFrom('webhooks').selectAll().where('studio_id', '=', studioId)

type WebhookRow = Awaited<ReturnType<ReturnType<typeof selectWebhooks>['executeTakeFirstOrThrow']>>

const toWebhook = (row: WebhookRow): Webhook => ({
  ...{ id: row.id, url: row.url, events: row.events, isEnabled: row.is_enabled, version: row.version },
  failingSince: row.failing_since?.toISOString() ?? null,
  disabledAt: row.disabled_at?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
})

/** The studio's webhooks, oldest first. */
export const listWebhooks = async ({ db }: Deps, studioId: number): Promise<Webhook[]> =>
  (await selectWebhooks(db, studioId).orderBy('id').execute()).map(toWebhook)

/** One webhook; undefined for an unknown one. */
export const readWebhook = async (db: Db | Transaction, { studioId, id }: WebhookKey): Promise<Webhook | undefined> => {
  const row = await selectWebhooks(db, studioId).where('id', '=', id).executeTakeFirst()
  return row && toWebhook(row)
}

const lockWebhook = (tx: Transaction, { studioId, id }: WebhookKey): Promise<WebhookRow | undefined> =>
  selectWebhooks(tx, studioId).where('id', '=', id).forUpdate().executeTakeFirst()

/** Why an address cannot be that of a webhook; null if it can. `allowsHttp`: for development. */
const webhookUrlProblem = (text: string, allowsHttp: boolean): string | null => {
  if (!URL.canParse(text)) return 'Enter a complete address, such as https://example.com/webhooks'
  const { protocol, username, password, hash } = new URL(text)
  if (protocol !== 'https:' && !(allowsHttp && protocol === 'http:')) return 'The address must begin with https://'
  return username || password || hash ? 'The address must not contain a user name, a password or a #' : null
}

/** Plain http is accepted only by servers that are not in production. */
const draftProblem = ({ settings }: Deps, { url, events }: Draft): Problem<'refused'> | undefined => {
  const urlMessage = webhookUrlProblem(url.trim(), settings.mode !== 'production')
  const eventsMessage = events.length === 0 ? 'Choose at least one event' : null
  if (urlMessage === null && eventsMessage === null) return undefined
  const fields = { ...(urlMessage && { url: [urlMessage] }), ...(eventsMessage && { events: [eventsMessage] }) }
  return problem('refused', fixFieldsMessage, { fields })
}

const columnsOf = ({ url, events }: Draft) => ({
  url: url.trim(),
  events: JSON.stringify(webhookEvents.filter((event) => events.includes(event))),
})

type WebhookProblem = Problem<'not-found' | 'refused' | 'conflict'>
type Actor = { readonly actorId: number }

/** Creates a webhook. */
export const createWebhook = (
  deps: Deps,
  { studioId, draft, actorId }: Actor & { studioId: number; draft: Draft },
): Promise<Webhook | WebhookProblem> =>
  inTransaction(deps.db, async (tx) => {
    const studio = tx.selectFrom('studios').select('id').where('id', '=', studioId).forNoKeyUpdate()
    if (!(await studio.executeTakeFirst())) return problem('not-found')
    const rejection = draftProblem(deps, draft)
    if (rejection) return rejection
    if ((await selectWebhooks(tx, studioId).execute()).length >= maxWebhooks)
      return problem('refused', `A studio can have ${maxWebhooks} webhooks. Remove one that is not used`)
    const now = deps.clock()
    const row = await tx
      .insertInto('webhooks')
      .values({ studio_id: studioId, ...columnsOf(draft), created_at: now, updated_at: now })
      .returningAll()
      .executeTakeFirstOrThrow()
    const entry = { studioId, action: 'webhook.made', entityId: String(row.id), userId: actorId } as const
    await recordAudit(tx, deps, { ...entry, detail: { url: row.url, events: row.events.join(', ') } })
    return toWebhook(row)
  })

/** Changes a webhook. When it is enabled again, the events that waited are sent. */
export const replaceWebhook = (
  deps: Deps,
  key: WebhookKey,
  { body, actorId }: Actor & { body: Replacement },
): Promise<Webhook | WebhookProblem> =>
  inTransaction(deps.db, async (tx) => {
    const before = await lockWebhook(tx, key)
    if (!before) return problem('not-found')
    if (isStale(before, body.version)) return problem('conflict')
    const rejection = draftProblem(deps, body)
    if (rejection) return rejection
    const { studioId, id } = key
    const isReenabled = body.isEnabled && !before.is_enabled
    const row = await tx
      .updateTable('webhooks')
      .set({
        ...{ ...columnsOf(body), is_enabled: body.isEnabled, updated_at: deps.clock() },
        ...((isReenabled || !body.isEnabled) && { disabled_at: null, failing_since: null }),
        version: (eb) => eb('version', '+', 1),
      })
      .where('studio_id', '=', studioId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    const entry = { studioId, action: 'webhook.changed', entityId: String(id), userId: actorId } as const
    const [from, to] = [toWebhook(before), toWebhook(row)]
    const valuesOf = ({ url, events, isEnabled }: Webhook) => ({ url, events: events.join(', '), isEnabled })
    await recordAudit(tx, deps, { ...entry, detail: { before: valuesOf(from), after: valuesOf(to) } })
    if (isReenabled) await deps.jobs.enqueue(tx, 'start-webhook-deliveries', { studioId, webhookId: id })
    return to
  })

/** Removes a webhook with the log of its deliveries. */
export const removeWebhook = (
  deps: Deps,
  key: WebhookKey,
  actorId: number,
): Promise<Problem<'not-found'> | undefined> =>
  inTransaction(deps.db, async (tx) => {
    const { studioId, id } = key
    const row = await tx
      .deleteFrom('webhooks')
      .where('studio_id', '=', studioId)
      .where('id', '=', id)
      .returning('url')
      .executeTakeFirst()
    if (!row) return problem('not-found')
    const entry = { studioId, action: 'webhook.removed', entityId: String(id), userId: actorId } as const
    await recordAudit(tx, deps, { ...entry, detail: { url: row.url } })
    return undefined
  })

const secretRowOf = ({ studio_id, id, secret_number, secret_rotated_at }: WebhookRow): SecretRow => ({
  ...{ studioId: studio_id, webhookId: id, secretNumber: secret_number, secretRotatedAt: secret_rotated_at },
})

const toSecret = (deps: Deps, row: WebhookRow): Secret => {
  const secretRow = secretRowOf(row)
  const until = previousSecretUntil(secretRow, deps.clock())
  return { secret: currentSecret(deps, secretRow), previousUntil: until?.toISOString() ?? null }
}

/** The secret of a webhook. */
export const readSecret = async (deps: Deps, { studioId, id }: WebhookKey): Promise<Secret | Problem<'not-found'>> => {
  const row = await selectWebhooks(deps.db, studioId).where('id', '=', id).executeTakeFirst()
  return row ? toSecret(deps, row) : problem('not-found')
}

/** Makes a new secret. The previous one stays valid for a day; until then no other can be made, so that at most two are valid. */
export const rotateSecret = (
  deps: Deps,
  key: WebhookKey,
  actorId: number,
): Promise<Secret | Problem<'not-found' | 'refused'>> =>
  inTransaction(deps.db, async (tx) => {
    const before = await lockWebhook(tx, key)
    if (!before) return problem('not-found')
    const now = deps.clock()
    if (previousSecretUntil(secretRowOf(before), now))
      return problem('refused', 'The previous secret is still valid. Wait until it has ended')
    const { studioId, id } = key
    const row = await tx
      .updateTable('webhooks')
      .set({ secret_number: before.secret_number + 1, secret_rotated_at: now })
      .where('studio_id', '=', studioId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    const entry = { studioId, action: 'webhook.secret-rotated', entityId: String(id), userId: actorId } as const
    await recordAudit(tx, deps, { ...entry, detail: { url: row.url } })
    return toSecret(deps, row)
  })
