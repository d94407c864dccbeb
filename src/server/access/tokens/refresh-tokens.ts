import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { hashOf } from '#server/http/hash.ts'

/** Days until an unused token expires and the user has to sign in. */
const lifeDays = 30

type TokenFamily = { readonly userId: number; readonly family: string }

const keep = async (deps: Deps, tx: Transaction, { userId, family }: TokenFamily, token: string): Promise<void> => {
  const now = deps.clock()
  const expires = new Date(now.getTime() + lifeDays * 24 * 60 * 60 * 1000)
  await tx
    .insertInto('refresh_tokens')
    .values({ user_id: userId, family, token_hash: hashOf(token), expires_at: expires, created_at: now })
    .execute()
}

/** Creates the first token of a new family: one sign-in on one device. */
export const startTokenFamily = async (deps: Deps, tx: Transaction, userId: number): Promise<string> => {
  const token = Buffer.from(deps.randomBytes(32)).toString('base64url')
  await keep(deps, tx, { userId, family: deps.newId() }, token)
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

const find = (tx: Transaction, token: string) =>
  tx.selectFrom('refresh_tokens').selectAll().where('token_hash', '=', hashOf(token)).forUpdate().executeTakeFirst()

export type Rotation = { readonly userId: number; readonly token: string }

/**
 * Exchanges a refresh token for the next one. Reuse of a spent token revokes its whole family, unless it is the same request again (same
 * key) and the successor is still unspent. Undefined: the token is not valid.
 */
export const rotateRefreshToken = async (
  deps: Deps,
  tx: Transaction,
  shown: { readonly token: string; readonly key: string | undefined },
): Promise<Rotation | undefined> => {
  const found = await find(tx, shown.token)
  if (!found || found.revoked_at || found.expires_at <= deps.clock()) return undefined
  const token = successorOf(deps, shown.token, shown.key)
  const rotation = { userId: found.user_id, token }
  if (found.spent_at) {
    const successor = await find(tx, token)
    if (successor && !successor.spent_at) return rotation
    await revokeFamily(deps, tx, found.family)
    return undefined
  }
  await tx.updateTable('refresh_tokens').set({ spent_at: deps.clock() }).where('id', '=', found.id).execute()
  await keep(deps, tx, { userId: found.user_id, family: found.family }, token)
  return rotation
}

/** Ends a sign-in: revokes every token of its family. */
export const endTokenFamily = async (deps: Deps, tx: Transaction, token: string): Promise<void> => {
  const found = await find(tx, token)
  if (found) await revokeFamily(deps, tx, found.family)
}

/** Deletes expired tokens. */
export const purgeRefreshTokens = async ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> => {
  await sql`delete from refresh_tokens where expires_at < ${clock()}`.execute(db)
}
