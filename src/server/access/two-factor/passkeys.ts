import type { Passkey } from '#contract/system/two-factor.ts'
import { fixFieldsMessage, required, validate } from '#domain/shared/validators.ts'
import { type Db, inTransaction, type Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { type Problem, problem } from '#server/http/problem.ts'
import type { User } from '../tokens/access-token.ts'
import { recordSecurityChange } from './security-emails.ts'

const columns = ['id', 'name', 'created_at', 'last_used_at'] as const

type PasskeyRow = { id: number; name: string; created_at: Date; last_used_at: Date | null }

const passkeyOf = ({ id, name, created_at, last_used_at }: PasskeyRow): Passkey => ({
  id,
  name,
  createdAt: created_at.toISOString(),
  lastUsedAt: last_used_at?.toISOString() ?? null,
})

/** A user's passkeys in the order they were added. */
export const listPasskeys = async (db: Db, userId: number): Promise<Passkey[]> => {
  const rows = await db.selectFrom('passkeys').select(columns).where('user_id', '=', userId).orderBy('id').execute()
  return rows.map(passkeyOf)
}

/** A user's passkeys as the browser's dialog lists them. */
export const listKnownPasskeys = (
  db: Db | Transaction,
  userId: number,
): Promise<{ id: string; transports: string[] }[]> =>
  db
    .selectFrom('passkeys')
    .select(['credential_id as id', 'transports'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()

/** Trims the name of a passkey; returns a problem for a blank one. */
export const trimPasskeyName = (typedName: string): string | Problem<'refused'> => {
  const name = typedName.trim()
  const { name: errors } = validate({ name }, { name: required() })
  return errors ? problem('refused', fixFieldsMessage, { fields: { name: errors } }) : name
}

/** Renames a passkey of the signed-in user. */
export const renamePasskey = (
  deps: Deps,
  { user, passkeyId, name }: { readonly user: User; readonly passkeyId: number; readonly name: string },
): Promise<Passkey | Problem<'not-found'>> =>
  inTransaction(deps.db, async (tx) => {
    const row = await tx
      .updateTable('passkeys')
      .set({ name })
      .where('id', '=', passkeyId)
      .where('user_id', '=', user.id)
      .returning(columns)
      .executeTakeFirst()
    if (!row) return problem('not-found')
    await recordSecurityChange(tx, deps, { user, change: 'passkey-renamed', detail: name, actorId: user.id })
    return passkeyOf(row)
  })
