import { createHmac } from 'node:crypto'
import { subMinutes } from 'date-fns/subMinutes'
import { type ApiScope, apiTokenPrefix } from '#domain/developers/api-scopes.ts'
import type { Deps } from '#server/deps.ts'
import { hashOf } from '#server/http/hash.ts'
import { permissionsOf } from '../authorization/role-permissions.ts'
import type { User } from './access-token.ts'

/** An API token that was presented with a request. `label` identifies it in the audit trail. */
export type PresentedApiToken = { readonly id: number; readonly label: string; readonly scopes: readonly ApiScope[] }

/** The prefix, and 256 bits. */
const tokenPattern = /^fp_[\w-]{43}$/

/** Whether a text has the form of an API token. */
export const isApiToken = (text: string): boolean => tokenPattern.test(text)

/**
 * The text of a new token. It is derived from the request's idempotency key, so that a retry of the same request gets the same token;
 * without the server's secret the key reveals nothing.
 */
export const newApiToken = (
  { settings, newId }: Pick<Deps, 'settings' | 'newId'>,
  { userId, key }: { userId: number; key: string | undefined },
): string => {
  const content = JSON.stringify(['api-token', userId, key ?? newId()])
  return apiTokenPrefix + createHmac('sha256', settings.secret).update(content).digest('base64url')
}

const hintLength = 4

/** The last characters of a token, which are stored. */
export const hintOf = (token: string): string => token.slice(-hintLength)

/** Records the use of a token, at most once a minute. */
const recordUse = async ({ db, clock }: Deps, id: number, lastUsedAt: Date | null): Promise<void> => {
  const now = clock()
  if (lastUsedAt !== null && lastUsedAt > subMinutes(now, 1)) return
  await db.updateTable('api_tokens').set({ last_used_at: now }).where('id', '=', id).execute()
}

/**
 * The user and the token of a valid API token; undefined for an unknown, expired or revoked one. The permissions are those of the user's
 * current role. Whether the user may still sign in is checked with the call, as for access tokens.
 */
export const readApiToken = async (
  deps: Deps,
  token: string,
): Promise<{ user: User; apiToken: PresentedApiToken } | undefined> => {
  const row = await deps.db
    .selectFrom('api_tokens as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .select(['t.id', 't.name', 't.hint', 't.scopes', 't.last_used_at', 't.created_at'])
    .select(['u.id as userId', 'u.name as userName', 'u.email', 'u.role', 'u.studio_id'])
    .where('t.token_hash', '=', hashOf(token))
    .where('t.expires_at', '>', deps.clock())
    .where('t.revoked_at', 'is', null)
    .executeTakeFirst()
  if (!row) return undefined
  await recordUse(deps, row.id, row.last_used_at)
  return {
    user: {
      ...{ id: row.userId, name: row.userName, email: row.email, studioId: row.studio_id },
      permissions: permissionsOf[row.role],
      issuedAt: row.created_at,
    },
    apiToken: { id: row.id, label: `${row.name} (${apiTokenPrefix}…${row.hint})`, scopes: row.scopes },
  }
}
