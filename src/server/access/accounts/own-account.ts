import { sql } from 'kysely'
import type { Account } from '#contract/studio/accounts.ts'
import { fixFieldsMessage, isValid, required, validate } from '#domain/shared/validators.ts'
import type { Db } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { type Problem, problem } from '#server/http/problem.ts'

/** The signed-in user; undefined where the account was disabled or removed while its token was still valid. */
export const readAccount = (db: Db, userId: number): Promise<Account | undefined> =>
  db
    .selectFrom('users as u')
    .leftJoin('studios as s', 's.id', 'u.studio_id')
    .select(['u.id', 'u.name', 'u.email', 'u.role', 'u.studio_id as studioId', 's.name as studioName', 'u.version'])
    .where('u.id', '=', userId)
    .where('u.disabled_at', 'is', null)
    .executeTakeFirst()

/** Trims a name; returns a problem for a blank one. */
export const trimName = (enteredName: string): string | Problem<'refused'> => {
  const name = enteredName.trim()
  const fields = validate({ name }, { name: required() })
  return isValid(fields) ? name : problem('refused', fixFieldsMessage, { fields })
}

/** Changes the user's own name, unless the account changed since they read it. */
export const renameAccount = async (
  { db, clock }: Deps,
  userId: number,
  { name, version }: { name: string; version?: number | undefined },
): Promise<Account | Problem<'not-signed-in' | 'conflict'>> => {
  const updated = await db
    .updateTable('users')
    .set(({ eb }) => ({ name, updated_at: clock(), version: eb('version', '+', 1) }))
    .where('id', '=', userId)
    .where(version === undefined ? sql<boolean>`true` : sql<boolean>`version = ${version}`)
    .where('disabled_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  const account = await readAccount(db, userId)
  if (!account) return problem('not-signed-in')
  return updated ? account : problem('conflict')
}
