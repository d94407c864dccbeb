import { createHmac } from 'node:crypto'
import { addHours } from 'date-fns/addHours'
import { readSetting } from '#server/configuration/read-settings.ts'
import type { Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { hashOf } from '#server/http/hash.ts'

type TokenFamily = { readonly userId: number; readonly family: string }

const storeToken = async (
  deps: Deps,
  tx: Transaction,
  { userId, family }: TokenFamily,
  token: string,
): Promise<void> => {
  const now = deps.clock()
  const expires = addHours(now, (await readSetting(tx, deps, 'sign-in-days')) * 24)
  await tx
    .insertInto('refresh_tokens')
    .values({ user_id: userId, family, token_hash: hashOf(token), expires_at: expires, created_at: now })
    .execute()
}

/** Creates the first token of a new family: one sign-in on one device. */
export const startTokenFamily = async (deps: Deps, tx: Transaction, userId: number): Promise<string> => {
  const token = Buffer.from(deps.randomBytes(32)).toString('base64url')
  await storeToken(deps, tx, { userId, family: deps.newId() }, token)
  return token
}

const revokeFamily = async ({ clock }: Deps, tx: Transaction, family: string): Promise<void> => {
  await tx
    .updateTable('refresh_tokens')
    .set({ revoked_at: clock() })
    .where('family', '=', family)
    .where('revoked_at', 'is', null)
    .execute()
}

/**
 * The successor of a token, derived from it and the request's idempotency key. A browser that repeats its request gets the same token; a
 * thief cannot know the key the stolen token was used with.
 */
const successorOf = ({ settings, newId }: Deps, token: string, key: string | undefined): string =>
  createHmac('sha256', settings.secret)
    .update(JSON.stringify(['refresh', token, key ?? newId()]))
    .digest('base64url')

const lockToken = (tx: Transaction, token: string) =>
  tx.selectFrom('refresh_tokens').selectAll().where('token_hash', '=', hashOf(token)).forUpdate().executeTakeFirst()

export type Rotation = { readonly userId: number; readonly token: string }

/**
 * Exchanges a refresh token for the next one; undefined if the token is not valid. Reuse of a spent token revokes its
 * whole family, except by a retry of the same request (same key) whose new token is still unspent.
 */
export const rotateRefreshToken = async (
  deps: Deps,
  tx: Transaction,
  presented: { readonly token: string; readonly key: string | undefined },
): Promise<Rotation | undefined> => {
  const stored = await lockToken(tx, presented.token)
  if (!stored || stored.revoked_at || stored.expires_at <= deps.clock()) return undefined
  const token = successorOf(deps, presented.token, presented.key)
  const rotation = { userId: stored.user_id, token }
  if (stored.spent_at) {
    const successor = await lockToken(tx, token)
    if (successor && !successor.spent_at) return rotation
    await revokeFamily(deps, tx, stored.family)
    return undefined
  }
  await tx.updateTable('refresh_tokens').set({ spent_at: deps.clock() }).where('id', '=', stored.id).execute()
  await storeToken(deps, tx, { userId: stored.user_id, family: stored.family }, token)
  return rotation
}

/** Ends a sign-in: revokes every token of its family. */
export const endTokenFamily = async (deps: Deps, tx: Transaction, token: string): Promise<void> => {
  const stored = await lockToken(tx, token)
  if (stored) await revokeFamily(deps, tx, stored.family)
}

/** Deletes expired tokens. */
export const purgeRefreshTokens = async ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> => {
  await db.deleteFrom('refresh_tokens').where('expires_at', '<', clock()).execute()
}
