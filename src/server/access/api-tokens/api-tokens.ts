import { addHours } from 'date-fns/addHours'
import { subHours } from 'date-fns/subHours'
import { sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { ApiToken, postApiToken } from '#contract/studio/developers/api-tokens.ts'
import { apiScopes, maxApiTokens } from '#domain/developers/api-scopes.ts'
import { fixFieldsMessage, isValid, required, validate } from '#domain/shared/validators.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import { type Db, inTransaction, type Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { hashOf } from '#server/http/hash.ts'
import { type Problem, problem } from '#server/http/problem.ts'
import type { User } from '../tokens/access-token.ts'
import { hintOf, newApiToken } from '../tokens/api-token.ts'

/** SQL: whether the access of the token's user ended after it was created (`endAllAccess`), or they may not sign in now: it is refused then. */
const isEnded = sql<boolean>`(coalesce(u.sessions_ended_at > t.created_at, false) or u.disabled_at is not null)`

const selectTokens = (db: Db | Transaction, studioId: number) =>
  db
    .selectFrom('api_tokens as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .select(['t.id', 't.name', 't.hint', 't.scopes', 't.created_at', 't.expires_at', 't.last_used_at'])
    .select(['u.name as createdBy', isEnded.as('isEnded')])
    .where('t.studio_id', '=', studioId)
    .where('t.revoked_at', 'is', null)

type TokenRow = Awaited<ReturnType<ReturnType<typeof selectTokens>['executeTakeFirstOrThrow']>>

const toApiToken = ({ created_at, expires_at, last_used_at, ...row }: TokenRow, now: Date): ApiToken => ({
  ...row,
  createdAt: created_at.toISOString(),
  expiresAt: expires_at.toISOString(),
  isExpired: expires_at <= now,
  lastUsedAt: last_used_at?.toISOString() ?? null,
})

/** The studio's tokens that are not revoked, newest first. */
export const listApiTokens = async ({ db, clock }: Deps, studioId: number): Promise<ApiToken[]> => {
  const rows = await selectTokens(db, studioId).orderBy('t.created_at', 'desc').orderBy('t.id', 'desc').execute()
  return rows.map((row) => toApiToken(row, clock()))
}

type NewToken = {
  readonly studioId: number
  readonly user: User
  readonly draft: Infer<(typeof postApiToken)['body']>
  /** The request's idempotency key. */
  readonly key: string | undefined
}

type CreatedToken = Infer<(typeof postApiToken)['answer']>

/** Inserts a token and returns its id; null if a retry of the same request finds it inserted already. */
const insertToken = async (
  tx: Transaction,
  { clock }: Deps,
  { studioId, user, draft, token }: Pick<NewToken, 'studioId' | 'user' | 'draft'> & { token: string },
): Promise<number | null> => {
  const now = clock()
  const { name, scopes, days } = draft
  const row = await tx
    .insertInto('api_tokens')
    .values({
      ...{ studio_id: studioId, user_id: user.id, name, token_hash: hashOf(token), hint: hintOf(token) },
      scopes: JSON.stringify(apiScopes.filter((scope) => scopes.includes(scope))),
      ...{ expires_at: addHours(now, days * 24), created_at: now },
    })
    .onConflict((conflict) => conflict.column('token_hash').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

const getRejection = async (
  tx: Transaction,
  { clock }: Deps,
  { studioId, draft }: NewToken,
): Promise<Problem<'not-found' | 'refused'> | undefined> => {
  // Locks the studio, so that two requests at a time do not exceed the limit.
  const studio = tx.selectFrom('studios').select('id').where('id', '=', studioId).forNoKeyUpdate()
  if (!(await studio.executeTakeFirst())) return problem('not-found')
  const fields = validate(draft, { name: required() })
  if (!isValid(fields)) return problem('refused', fixFieldsMessage, { fields })
  const live = await selectTokens(tx, studioId).where('t.expires_at', '>', clock()).where(isEnded, '=', false).execute()
  if (live.length < maxApiTokens) return undefined
  return problem('refused', `A studio can have ${maxApiTokens} tokens. Revoke one that is not used`)
}

/** Creates a token of the signed-in owner. The database stores its hash only. */
export const createApiToken = (
  deps: Deps,
  newToken: NewToken,
): Promise<CreatedToken | Problem<'not-found' | 'refused'>> =>
  inTransaction(deps.db, async (tx) => {
    const { studioId, user, key } = newToken
    const rejection = await getRejection(tx, deps, newToken)
    if (rejection) return rejection
    const token = newApiToken(deps, { userId: user.id, key })
    const draft = { ...newToken.draft, name: newToken.draft.name.trim() }
    const id = await insertToken(tx, deps, { studioId, user, draft, token })
    if (id !== null) {
      const { name, scopes, days } = draft
      const entry = { studioId, userId: user.id, action: 'api-token.made', entityId: String(id) } as const
      await recordAudit(tx, deps, { ...entry, detail: { name, scopes: scopes.join(', '), days } })
    }
    const row = await selectTokens(tx, studioId).where('t.token_hash', '=', hashOf(token)).executeTakeFirst()
    // A retry after the token was revoked.
    return row ? { token, apiToken: toApiToken(row, deps.clock()) } : problem('not-found')
  })

type TokenKey = { readonly studioId: number; readonly tokenId: number }

/** Revokes a token: its next request is refused. */
export const revokeApiToken = (
  deps: Deps,
  { studioId, tokenId }: TokenKey,
  actorId: number,
): Promise<Problem<'not-found'> | undefined> =>
  inTransaction(deps.db, async (tx) => {
    const row = await tx
      .updateTable('api_tokens')
      .set({ revoked_at: deps.clock() })
      .where('studio_id', '=', studioId)
      .where('id', '=', tokenId)
      .where('revoked_at', 'is', null)
      .returning('name')
      .executeTakeFirst()
    if (!row) return problem('not-found')
    const entry = { studioId, userId: actorId, action: 'api-token.revoked', entityId: String(tokenId) } as const
    await recordAudit(tx, deps, { ...entry, detail: { name: row.name } })
    return undefined
  })

/** Days for which revoked and expired tokens are stored, so that owners see which ones have expired. */
const retentionDays = 90

/** Deletes tokens that expired, or were revoked, more than `retentionDays` ago. */
export const purgeApiTokens = async ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> => {
  const cutoff = subHours(clock(), retentionDays * 24)
  await db
    .deleteFrom('api_tokens')
    .where((eb) => eb.or([eb('expires_at', '<', cutoff), eb('revoked_at', '<', cutoff)]))
    .execute()
}
