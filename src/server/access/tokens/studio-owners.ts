import { type RawBuilder, sql } from 'kysely'
import type { Db, Transaction } from '#server/database/database.ts'

/** SQL: the users who own a studio now, that is who may sign in as its owner. */
const ownersOf = (studioId: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`from users o where o.studio_id = ${studioId} and o.role = 'owner' and o.disabled_at is null`

/** SQL: whether a studio has an owner who may sign in. */
export const hasOwnerOf = (studioId: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`exists (select ${ownersOf(studioId)})`

/** Whether a studio has an owner who may sign in: then only its owners let others in. */
export const hasOwner = async (db: Db | Transaction, studioId: number): Promise<boolean> => {
  const { rows } = await sql<{ hasOwner: boolean }>`
    select ${hasOwnerOf(sql`${studioId}::bigint`)} as "hasOwner"`.execute(db)
  return rows[0]?.hasOwner ?? false
}

/** The owners of a studio who may sign in, by name. */
export const readOwners = async (
  db: Db | Transaction,
  studioId: number,
): Promise<readonly { id: number; name: string }[]> => {
  const { rows } = await sql<{ id: number; name: string }>`
    select o.id, o.name ${ownersOf(sql`${studioId}::bigint`)} order by o.name, o.id`.execute(db)
  return rows
}
