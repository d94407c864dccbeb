import type { TokenPair } from '#contract/system/auth.ts'
import type { Db, Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { permissionsOf } from '../authorization/role-permissions.ts'
import { signAccessToken } from '../tokens/access-token.ts'
import { startTokenFamily } from '../tokens/refresh-tokens.ts'

/** A user who signs in, as stored. */
export type Account = {
  readonly id: number
  readonly name: string
  readonly email: string
  readonly role: keyof typeof permissionsOf
  readonly studio_id: number | null
  readonly password_hash: string | null
}

/** Selects the users who may sign in. */
export const enabledAccounts = (db: Db | Transaction) =>
  db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'role', 'studio_id', 'password_hash'])
    .where('disabled_at', 'is', null)

/** Creates an access token and pairs it with the refresh token. */
export const createTokenPair = async (deps: Deps, account: Account, refreshToken: string): Promise<TokenPair> => {
  const user = { ...account, permissions: permissionsOf[account.role], studioId: account.studio_id }
  const { token, expires } = await signAccessToken(deps, user)
  return { token, refreshToken, expiration: expires.toISOString() }
}

/** Signs an account in on one device. */
export const signInAs = async (deps: Deps, tx: Transaction, account: Account): Promise<TokenPair> => {
  await tx.updateTable('users').set({ signed_in_at: deps.clock() }).where('id', '=', account.id).execute()
  return await createTokenPair(deps, account, await startTokenFamily(deps, tx, account.id))
}
