import { type RawBuilder, sql } from 'kysely'
import type { Db, Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { endAllAccess } from '../tokens/revoke-refresh-tokens.ts'

/** SQL for whether the user of the table `u` has a second factor. */
export const hasSecondFactor: RawBuilder<boolean> = sql<boolean>`(
  exists (select from totp_secrets t where t.user_id = u.id) or exists (select from passkeys k where k.user_id = u.id))`

/** SQL for whether the user of the table `u` must have one: an administrator, or a user of a studio that requires it. */
const mustHaveSecondFactor = sql<boolean>`(not u.is_second_factor_exempt and (u.role = 'administrator'
  or exists (select from studios s where s.id = u.studio_id and s.requires_second_factor)))`

/** A user's second factors. */
export type SecondFactors = {
  readonly hasAny: boolean
  readonly hasAuthenticator: boolean
  readonly hasPasskey: boolean
  readonly recoveryCodesLeft: number
  readonly isRequired: boolean
}

/** Reads the second factors of an existing user. */
export const readSecondFactors = async (db: Db | Transaction, userId: number): Promise<SecondFactors> => {
  const { rows } = await sql<SecondFactors>`
    select ${hasSecondFactor} as "hasAny", ${mustHaveSecondFactor} as "isRequired",
           exists (select from totp_secrets t where t.user_id = u.id) as "hasAuthenticator",
           exists (select from passkeys k where k.user_id = u.id) as "hasPasskey",
           (select count(*)::integer from recovery_codes c where c.user_id = u.id and c.used_at is null) as "recoveryCodesLeft"
      from users u where u.id = ${userId}`.execute(db)
  const [factors] = rows
  if (!factors) throw new Error(`There is no user ${userId}`)
  return factors
}

/** Whether a user lacks the second factor that they must have, so that their sign-ins end at the next refresh. */
export const lacksSecondFactor = async (db: Db | Transaction, userId: number): Promise<boolean> => {
  const { hasAny, isRequired } = await readSecondFactors(db, userId)
  return isRequired && !hasAny
}

/** Locks a user, so that two changes of their second factors run one after the other. */
export const lockUser = async (tx: Transaction, userId: number): Promise<void> => {
  await tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
}

/** Deletes every second factor of a user with their recovery codes, and ends all their sign-ins and API tokens at once. */
export const deleteSecondFactors = async (tx: Transaction, deps: Pick<Deps, 'clock'>, id: number): Promise<void> => {
  for (const table of ['totp_secrets', 'passkeys', 'recovery_codes']) {
    await sql`delete from ${sql.table(table)} where user_id = ${id}`.execute(tx)
  }
  await endAllAccess(tx, deps, { userId: id })
}
